import fc from "fast-check";
import { expect, test } from "vitest";
import { sortFew } from "./sort-few.ts";

test("few or many, items are in the order that the engine's own sort gives them", () => {
  const items = fc.array(fc.record({ rank: fc.nat({ max: 9 }), id: fc.nat() }), { maxLength: 60 });
  fc.assert(
    fc.property(items, (list) => {
      const byRank = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank;
      expect(sortFew([...list], byRank)).toEqual(list.toSorted(byRank));
    }),
  );
});
