import fc from "fast-check";
import { expect, test } from "vitest";
import { byteLength } from "./byte-length.ts";

test("byteLength counts what UTF-8 needs for any well-formed text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});
