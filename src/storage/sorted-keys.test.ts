import fc from "fast-check";
import { expect, test } from "vitest";
import { scopeOf } from "./scope.ts";
import { SortedKeys } from "./sorted-keys.ts";

const prefix = "apps/deployments/";

test("after any additions and removals, read at any time, the keys are those of a sorted set", () => {
  const name = fc
    .tuple(fc.constantFrom("a", "a0", "a-b", "b"), fc.integer({ min: 0, max: 60 }))
    .map(([ns, n]) => `${ns}/d${n}`);
  const step = fc.oneof({ weight: 40, arbitrary: name }, { weight: 1, arbitrary: fc.constant("read") });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const keys = new SortedKeys();
      const model = new Set<string>();
      for (const next of steps) {
        if (next === "read") expect(keys.inOrder()).toEqual([...model].sort());
        else toggle(prefix + next, { keys, model });
        expect(keys.size).toBe(model.size);
      }
      expect(keys.inOrder()).toEqual([...model].sort());
      for (const part of [prefix, `${prefix}a/`, `${prefix}a-b/`, `${prefix}c/`, `${prefix}a/d1`]) {
        const { start, end } = keys.range(scopeOf(part));
        const inScope = [...model].filter((key) => (part.endsWith("/") ? key.startsWith(part) : key === part));
        expect(keys.inOrder().slice(start, end)).toEqual(inScope.sort());
      }
    }),
  );
});

test("keys that nobody reads are put in order in large steps", () => {
  const keys = new SortedKeys();
  for (let index = 5_000; index > 0; index--) keys.add(`${prefix}shop/d${String(index).padStart(4, "0")}`);
  expect(keys.inOrder()[4_321]).toBe(`${prefix}shop/d4322`);
});

function toggle(key: string, { keys, model }: { keys: SortedKeys; model: Set<string> }): void {
  if (model.delete(key)) {
    keys.remove(key);
    return;
  }
  model.add(key);
  keys.add(key);
}
