import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareBytes, sortedByName } from "./byte-order.ts";

test("any two texts are ordered as their bytes are", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "Z", "é", "\ue000", "\uffff", "\u{1f600}", "\u{10000}") });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
      expect(Math.sign(compareBytes(a, b))).toBe(bytes);
    }),
  );
});

test("sorting by name leaves the list alone and answers a copy", () => {
  const given = Object.freeze([{ name: "b" }, { name: "a" }, { name: "B" }]);
  expect(sortedByName(given).map(({ name }) => name)).toEqual(["B", "a", "b"]);
});
