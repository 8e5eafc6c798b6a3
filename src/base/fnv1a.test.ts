import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fnv1a32 } from "./fnv1a.ts";

test.each([
  ["nothing is the offset basis", "", 0x811c9dc5],
  ["one letter", "a", 0xe40c292c],
  ["a word", "foobar", 0xbf9cf968],
])("%s", (_, text, hash) => {
  expect(fnv1a32(text)).toBe(hash);
});

test("any text is hashed by its UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const expected = Buffer.from(text, "utf8").reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5);
      expect(fnv1a32(text)).toBe(expected >>> 0);
    }),
  );
});
