import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fnv1a32 } from "./fnv.ts";

test.each([
  ["the empty text gives the offset basis", "", 0x811c9dc5],
  ["one letter", "a", 0xe40c292c],
  ["a word from the published vectors", "foobar", 0xbf9cf968],
])("%s", (_name, text, hash) => {
  expect(fnv1a32(text)).toBe(hash);
});

test("any text is hashed by its UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      let hash = 0x811c9dc5n;
      for (const byte of Buffer.from(text, "utf8")) hash = ((hash ^ BigInt(byte)) * 0x01000193n) % 2n ** 32n;
      expect(fnv1a32(text)).toBe(Number(hash));
    }),
  );
});
