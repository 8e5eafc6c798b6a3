import fc from "fast-check";
import { expect, test } from "vitest";
import { SlotIndex } from "./slot-index.ts";

const slots = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
const entries = fc.dictionary(fc.nat({ max: 80 }).map(String), fc.record({ value: fc.nat(), slots }), { maxKeys: 60 });

test("many new ones at once stand where they would stand one by one", () => {
  fc.assert(
    fc.property(entries, entries, (first, second) => {
      const here = Object.entries(first).reduce(
        (index, [key, entry]) => index.put(key, entry),
        SlotIndex.empty<number>(),
      );
      const added = new Map(Object.entries(second).filter(([key]) => first[key] === undefined));
      const together = here.putNew(added);
      const oneByOne = [...added].reduce((index, [key, entry]) => index.put(key, entry), here);
      expect(together.size).toBe(oneByOne.size);
      for (const [key] of added) expect(together.get(key)).toBe(oneByOne.get(key));
      for (const slot of ["a", "b", "c", "d"]) {
        expect([...together.in(slot)].toSorted()).toEqual([...oneByOne.in(slot)].toSorted());
        expect(together.sizeOf(slot)).toBe(oneByOne.sizeOf(slot));
      }
      for (const [key] of added) {
        const [one, other] = [together.delete(key), oneByOne.delete(key)];
        for (const slot of ["a", "b", "c", "d"]) expect(one.sizeOf(slot)).toBe(other.sizeOf(slot));
      }
    }),
  );
});
