import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyLists } from "./key-lists.ts";

test("keys are listed in order whatever was asked before, and the same keys are one text", () => {
  const key = fc.constantFrom("b", "a", "c/d", "c", "e".repeat(300));
  const asked = fc.array(fc.uniqueArray(key));
  fc.assert(
    fc.property(asked, (lists) => {
      const memory = new KeyLists();
      for (const keys of lists) expect(memory.of(keys)).toBe([...keys].sort().join(","));
    }),
  );
});

test("what is too much to remember is listed nevertheless", () => {
  const memory = new KeyLists();
  const long = (index: number) => [`z${index}`, `${index}`.repeat(1_000)];
  for (let index = 1; index < 1_000; index++) expect(memory.of(long(index))).toBe(long(index).toReversed().join(","));
});
