import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readShares } from "#test/world/scheduling-sketch.ts";
import { divideByWeight, lastNameFirst } from "./divide-by-weight.ts";
import { allocateSeats, type Party, type SeatDivision } from "./webster.ts";

const cases: Record<string, { seats: number; votes: string; brought?: string; last?: boolean; expect: string }> = {
  "9 over 1:2": { seats: 9, votes: "a:1 b:2", expect: "a:3 b:6" },
  "9 over 1:3 is not the old floor and remainder": { seats: 9, votes: "a:1 b:3", expect: "a:2 b:7" },
  "12 over 6:12:18": { seats: 12, votes: "a:6 b:12 c:18", expect: "a:2 b:4 c:6" },
  "2 over three equals go to the first names": { seats: 2, votes: "a:1 b:1 c:1", expect: "a:1 b:1 c:0" },
  "2 over three equals go to the last names": { seats: 2, votes: "a:1 b:1 c:1", last: true, expect: "a:0 b:1 c:1" },
  "5 over 2:1": { seats: 5, votes: "a:2 b:1", expect: "a:3 b:2" },
  "3 over 1:5": { seats: 3, votes: "a:1 b:5", expect: "a:1 b:2" },
  "equal claims go to fewer seats before names": {
    seats: 1,
    votes: "a:3 b:1",
    brought: "a:1",
    last: false,
    expect: "a:1 b:1",
  },
  "seats that are brought along count": { seats: 2, votes: "a:1 b:1", brought: "a:3", expect: "a:3 b:2" },
  "who has no votes gets nothing while others have some": { seats: 5, votes: "a:0 b:1", expect: "a:0 b:5" },
  "no parties take no seats": { seats: 3, votes: "", expect: "" },
  "two thousand million seats take no time": {
    seats: 2_000_000_001,
    votes: "a:1 b:1",
    expect: "a:1000000001 b:1000000000",
  },
};

test.each(Object.entries(cases))("%s", (_, { seats, votes, brought = "", last = false, expect: expected }) => {
  const initial = new Map(readShares(brought).map(({ name, replicas }) => [name, replicas]));
  const parties = readShares(votes).map(({ name, replicas }) => ({
    name,
    votes: replicas,
    seats: initial.get(name) ?? 0,
  }));
  const result = allocateSeats({ newSeats: seats, parties, lastNameFirst: last });
  expect(result.map((party) => `${party.name}:${party.seats}`).join(" ")).toBe(expected);
});

const divisions = fc.record({
  newSeats: fc.integer({ min: 0, max: 400 }),
  parties: fc.uniqueArray(
    fc.record({
      name: fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }),
      votes: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 100_000 })),
      seats: fc.integer({ min: 0, max: 20 }),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 12 },
  ),
  lastNameFirst: fc.boolean(),
});

test("every seat is given, and nobody loses what was brought along", () => {
  fc.assert(
    fc.property(divisions, (division) => {
      const before = new Map(division.parties.map(({ name, seats }) => [name, seats]));
      const after = allocateSeats(division);
      const given = after.map(({ name, seats }) => seats - (before.get(name) ?? 0));
      expect(Math.min(...given)).toBeGreaterThanOrEqual(0);
      expect(given.reduce((sum, each) => sum + each, 0)).toBe(division.newSeats);
    }),
  );
});

test("one seat more takes none from anybody", () => {
  fc.assert(
    fc.property(divisions, (division) => {
      const fewer = allocateSeats(division);
      const more = allocateSeats({ ...division, newSeats: division.newSeats + 1 });
      for (const [index, { seats }] of more.entries()) {
        expect(seats).toBeGreaterThanOrEqual(fewer[index]?.seats ?? 0);
      }
    }),
  );
});

test("the order in which parties are named does not matter", () => {
  const shuffled = divisions.chain((division) =>
    fc.tuple(fc.constant(division), fc.shuffledSubarray(division.parties, { minLength: division.parties.length })),
  );
  fc.assert(
    fc.property(shuffled, ([division, parties]) => {
      expect(allocateSeats({ ...division, parties })).toEqual(allocateSeats(division));
    }),
  );
});

test("giving many seats at once ends as giving them one by one", () => {
  fc.assert(
    fc.property(divisions, (division) => {
      expect(allocateSeats(division)).toEqual(oneByOne(division));
    }),
  );
});

/** The rule as it is written down. */
function oneByOne({ newSeats, parties, lastNameFirst: last }: SeatDivision): Party[] {
  let standing = parties.map((party) => ({ ...party }));
  for (let given = 0; given < newSeats; given++) {
    standing = standing.toSorted((a, b) => {
      const claims = b.votes / (2 * b.seats + 1) - a.votes / (2 * a.seats + 1);
      const names = a.name < b.name ? -1 : 1;
      return claims || a.seats - b.seats || (last ? -names : names);
    });
    standing[0]!.seats++;
  }
  return standing.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

test.each([
  ["without a uid the first names win", "", false],
  ["an even hash lets the first names win", "a", false],
  ["an odd hash lets the last names win", "b", true],
])("%s", (_, uid, last) => {
  expect(lastNameFirst(uid)).toBe(last);
});

test.each([
  ["no weights leave what is kept", { replicas: 5, weights: "a:0", kept: "b:2" }, "b:2"],
  ["nothing to add leaves what is kept", { replicas: 0, weights: "a:3", kept: "b:2" }, "b:2"],
  ["what is kept counts against its cluster", { replicas: 2, weights: "a:1 b:1", kept: "a:2" }, "a:2 b:2"],
])("%s", (_, { replicas, weights, kept }, expected) => {
  const shares = divideByWeight({ replicas, weights: readShares(weights), kept: readShares(kept), uid: "" });
  expect(shares.map((share) => `${share.name}:${share.replicas}`).join(" ")).toBe(expected);
});
