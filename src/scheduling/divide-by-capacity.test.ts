import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sortedByName } from "#base/byte-order.ts";
import { printShares, readShares, sketchCandidate } from "#test/world/scheduling-sketch.ts";
import { divideByCapacity } from "./divide-by-capacity.ts";
import { sumOf } from "./divide-by-weight.ts";

interface Row {
  readonly replicas: number;
  /** The room of each cluster, in order of preference. */
  readonly room: string;
  readonly previous?: string;
  readonly aggregated?: boolean;
  readonly fresh?: boolean;
  readonly expect: string;
}

const cases: Record<string, Row> = {
  "aggregated takes the fewest clusters and divides inside them by room": {
    replicas: 12,
    room: "a:10 b:5 c:3",
    aggregated: true,
    expect: "scale up: a:8 b:4",
  },
  "aggregated takes one cluster when it has room for all": {
    replicas: 9,
    room: "a:3 b:10",
    aggregated: true,
    expect: "scale up: b:9",
  },
  "clusters with equal room keep the order of preference": {
    replicas: 4,
    room: "b:4 a:4",
    aggregated: true,
    expect: "scale up: b:4",
  },
  "aggregated prefers clusters in use to roomier ones": {
    replicas: 5,
    room: "a:9 b:2",
    previous: "b:3",
    aggregated: true,
    expect: "scale up: b:5",
  },
  "a cluster that is listed with no replicas is not in use": {
    replicas: 5,
    room: "a:9 b:5",
    previous: "b:0",
    aggregated: true,
    expect: "scale up: a:5 b:0",
  },
  "scaling up divides only the difference, whoever runs what": {
    replicas: 6,
    room: "a:3 b:3 c:6",
    previous: "a:2 b:1",
    expect: "scale up: a:3 b:2 c:1",
  },
  "scaling down divides what stays as it was": {
    replicas: 4,
    room: "a:0 b:0 c:0",
    previous: "a:4 b:3 c:1",
    expect: "scale down: a:2 b:1 c:1",
  },
  "scaling down does not ask for room": { replicas: 1, room: "a:0", previous: "a:3", expect: "scale down: a:1" },
  "the desired number moves nothing, even where there is no room": {
    replicas: 5,
    room: "a:0 b:9",
    previous: "a:4 b:1",
    expect: "keep: a:4 b:1",
  },
  "a cluster that is no candidate any more counts as empty": {
    replicas: 5,
    room: "a:9",
    previous: "a:2 gone:3",
    expect: "scale up: a:5",
  },
  "a fresh division counts what runs as room and may move it": {
    replicas: 6,
    room: "a:0 b:6",
    previous: "a:6",
    fresh: true,
    expect: "fresh: a:3 b:3",
  },
  "too little room is said in numbers": {
    replicas: 9,
    room: "a:3 b:2",
    previous: "a:1",
    expect: "scale up: short of 8, room 5",
  },
  "scaling to nothing leaves nothing": { replicas: 0, room: "a:3", previous: "a:2 b:1", expect: "scale down: a:0" },
};

test.each(Object.entries(cases))(
  "%s",
  (_, { room, previous = "", aggregated = false, fresh = false, replicas, expect: expected }) => {
    const candidates = readShares(room).map(({ name, replicas: free }) => sketchCandidate(name, { room: free }));
    const divided = divideByCapacity({
      candidates,
      replicas,
      previous: readShares(previous),
      aggregated,
      fresh,
      uid: "",
    });
    const { step, shares, shortOf } = divided;
    expect(
      `${step}: ${shares === undefined ? `short of ${shortOf.needed}, room ${shortOf.room}` : printShares(sortedByName(shares))}`,
    ).toBe(expected);
  },
);

const anyDivision = fc.record({
  candidates: fc
    .uniqueArray(fc.record({ name: fc.constantFrom(..."abcdef"), room: fc.integer({ min: 0, max: 20 }) }), {
      selector: ({ name }) => name,
      minLength: 1,
    })
    .map((sketches) => sketches.map(({ name, room }) => sketchCandidate(name, { room }))),
  previous: fc.uniqueArray(
    fc.record({ name: fc.constantFrom(..."abcdefgh"), replicas: fc.integer({ min: 0, max: 9 }) }),
    {
      selector: ({ name }) => name,
    },
  ),
  replicas: fc.integer({ min: 0, max: 60 }),
  aggregated: fc.boolean(),
  uid: fc.constantFrom("", "a", "b"),
});

test("all replicas are divided, or none with the room that is missing", () => {
  fc.assert(
    fc.property(anyDivision, fc.boolean(), (division, fresh) => {
      const { shares, shortOf } = divideByCapacity({ ...division, fresh });
      if (shares === undefined) expect(shortOf.room).toBeLessThan(shortOf.needed);
      else expect(sumOf(shares)).toBe(division.replicas);
    }),
  );
});

test("what runs and is wanted stays where it is unless a fresh division is asked for", () => {
  fc.assert(
    fc.property(anyDivision, (division) => {
      const { step, shares = [] } = divideByCapacity({ ...division, fresh: false });
      const after = new Map(shares.map(({ name, replicas }) => [name, replicas]));
      const names = new Set(division.candidates.map(({ name }) => name));
      for (const { name, replicas } of division.previous.filter((each) => names.has(each.name) && shares.length > 0)) {
        if (step === "scale down") expect(after.get(name) ?? 0).toBeLessThanOrEqual(replicas);
        else expect(after.get(name) ?? 0).toBeGreaterThanOrEqual(replicas);
      }
    }),
  );
});

test("no cluster gets more than it has room for", () => {
  fc.assert(
    fc.property(anyDivision, fc.boolean(), (division, fresh) => {
      const { step, shares = [] } = divideByCapacity({ ...division, fresh });
      const had = new Map(division.previous.map(({ name, replicas }) => [name, replicas]));
      for (const { name, replicas } of step === "keep" ? [] : shares) {
        const room = division.candidates.find((each) => each.name === name)?.allocatable ?? 0;
        expect(replicas).toBeLessThanOrEqual(room + (had.get(name) ?? 0));
      }
    }),
  );
});
