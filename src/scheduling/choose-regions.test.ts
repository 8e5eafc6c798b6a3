import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chooseGroups, type Group, type GroupLimits } from "./choose-regions.ts";

const group = (name: string, score: number, size: number): Group => ({ name, score, size });
const names = (groups: readonly Group[] | undefined) => groups?.map(({ name }) => name).join(" ");

const cases: Record<string, { groups: Group[]; limits: GroupLimits; expect: string | undefined }> = {
  "the best scores win": {
    groups: [group("a", 1, 1), group("b", 3, 1), group("c", 2, 1)],
    limits: { min: 2, max: 2, clusters: 2 },
    expect: "b c",
  },
  "enough clusters come before scores": {
    groups: [group("a", 9, 1), group("b", 1, 3), group("c", 2, 1)],
    limits: { min: 1, max: 1, clusters: 3 },
    expect: "b",
  },
  "a set is not extended once it is enough": {
    groups: [group("a", 5, 2), group("b", 5, 2)],
    limits: { min: 1, max: 2, clusters: 2 },
    expect: "a",
  },
  "without a maximum there is no set": {
    groups: [group("a", 5, 2)],
    limits: { min: 1, max: 0, clusters: 0 },
    expect: undefined,
  },
  "too few clusters in all": { groups: [group("a", 5, 2)], limits: { min: 1, max: 5, clusters: 3 }, expect: undefined },
};

test.each(Object.entries(cases))("%s", (_, { groups, limits, expect: expected }) => {
  expect(names(chooseGroups(groups, limits))).toBe(expected);
});

test("the choice is that of a search through all sets", () => {
  const anything = fc.record({
    groups: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(..."abcdefgh"),
        score: fc.integer({ min: 0, max: 4 }),
        size: fc.integer({ min: 1, max: 4 }),
      }),
      { selector: ({ name }) => name, maxLength: 8 },
    ),
    limits: fc.record({
      min: fc.integer({ min: 1, max: 4 }),
      max: fc.integer({ min: 0, max: 6 }),
      clusters: fc.integer({ min: 0, max: 12 }),
    }),
  });
  fc.assert(
    fc.property(anything, ({ groups, limits }) => {
      expect(names(chooseGroups(groups, limits))).toBe(names(searchAll(groups, limits)));
    }),
    { numRuns: 500 },
  );
});

test("a hundred groups are no burden", () => {
  const groups = Array.from({ length: 100 }, (_, index) => group(`g${index}`, index % 7, 1 + (index % 3)));
  expect(chooseGroups(groups, { min: 10, max: 30, clusters: 60 })).toHaveLength(30);
});

/** The rule as it is written down: all sets in order, none extended once it is enough; the best by score, clusters, order. */
function searchAll(groups: readonly Group[], { min, max, clusters }: GroupLimits): Group[] | undefined {
  const sorted = groups.toSorted((a, b) => a.size - b.size || b.score - a.score || (a.name < b.name ? -1 : 1));
  const found: Group[][] = [];
  const extend = (set: Group[], from: number) => {
    if (set.length >= min && set.length <= max && total(set, "size") >= clusters) {
      found.push(set.toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1)));
      return;
    }
    if (set.length >= max) return;
    for (let index = from; index < sorted.length; index++) extend([...set, sorted[index]!], index + 1);
  };
  extend([], 0);
  const ranked = found.toSorted((a, b) => total(b, "score") - total(a, "score") || total(b, "size") - total(a, "size"));
  let best = ranked[0];
  for (const set of ranked) {
    if (best !== undefined && set.length < best.length && set.every((each, index) => each === best?.[index]))
      best = set;
  }
  return best;
}

function total(set: readonly Group[], what: "score" | "size"): number {
  return set.reduce((sum, each) => sum + each[what], 0);
}
