import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareBytes } from "./byte-order.ts";

test("a character beyond the basic plane comes after U+FFFD, unlike in JavaScript's order", () => {
  expect(["\u{1f600}", "\ufffd", "a", "ab", ""].toSorted(compareBytes)).toEqual(["", "a", "ab", "\ufffd", "\u{1f600}"]);
});

test("texts are ordered as their bytes are", () => {
  const text = fc.string({ unit: "binary", maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});
