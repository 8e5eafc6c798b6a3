import fc from "fast-check";
import { expect, test } from "vitest";
import { PersistentMap } from "./persistent-map.ts";

const changes = fc.array(
  fc.record({ key: fc.nat({ max: 60 }).map((n) => `k${n}`), value: fc.option(fc.nat(), { nil: undefined }) }),
  { maxLength: 300 },
);

test("it answers as a Map does, and no former state changes", () => {
  fc.assert(
    fc.property(changes, (steps) => {
      const model = new Map<string, number>();
      let map = PersistentMap.empty<number>();
      const former: { readonly map: PersistentMap<number>; readonly content: ReadonlyMap<string, number> }[] = [];
      for (const { key, value } of steps) {
        former.push({ map, content: new Map(model) });
        if (value === undefined) model.delete(key);
        else model.set(key, value);
        map = map.with(key, value);
        expect(map.get(key)).toBe(value);
      }
      const states = [...former.slice(-20), { map, content: model }];
      for (const { map, content } of states) {
        expect(new Set(map.keys())).toEqual(new Set(content.keys()));
        expect([...map.values()].toSorted()).toEqual([...content.values()].toSorted());
        expect(map.size).toBe(content.size);
      }
    }),
    { numRuns: 30 },
  );
});

test("an update that changes nothing gives the same map", () => {
  const map = PersistentMap.empty<number>().with("a", 1);
  expect(map.with("a", 1)).toBe(map);
  expect(map.with("b", undefined)).toBe(map);
});

test("many keys are kept and taken out again", () => {
  let map = PersistentMap.empty<number>();
  for (let i = 0; i < 5000; i++) map = map.with(`key-${i}`, i);
  expect(map.size).toBe(5000);
  expect(map.get("key-4321")).toBe(4321);
  for (let i = 0; i < 5000; i += 2) map = map.with(`key-${i}`, undefined);
  expect(map.size).toBe(2500);
  expect([map.has("key-10"), map.has("key-11")]).toEqual([false, true]);
});

test("many at once are the same as one by one, and the former state stays", () => {
  const entries = fc.array(fc.tuple(fc.nat({ max: 400 }).map(String), fc.nat()), { maxLength: 300 });
  fc.assert(
    fc.property(entries, entries, (first, second) => {
      const before = first.reduce((map, [key, value]) => map.with(key, value), PersistentMap.empty<number>());
      const known = new Map(first);
      const after = before.withAll(new Map(second));
      const expected = new Map([...first, ...second]);
      expect(new Map([...expected.keys()].map((key) => [key, after.get(key)]))).toEqual(expected);
      expect(after.size).toBe(expected.size);
      expect(new Set(after.keys())).toEqual(new Set(expected.keys()));
      expect(before.size).toBe(known.size);
      for (const [key, value] of known) expect(before.get(key)).toBe(value);
      for (const key of expected.keys()) expect(after.with(key, undefined).has(key)).toBe(false);
    }),
    { numRuns: 60 },
  );
});
