import { expect, test } from "vitest";
import { EqualTexts } from "./equal-texts.ts";

test("equal texts are given back equal, however many and however long they are", () => {
  const texts = new EqualTexts();
  const all = Array.from({ length: 2_500 }, (_, index) => `${"x".repeat(index)}${index}`);
  for (const text of [...all, ...all]) expect(texts.of(text)).toBe(text);
});
