import { expect, test } from "vitest";
import recorded from "./fixtures/quantities.json" with { type: "json" };
import { canonicalQuantity, compareQuantities, parseQuantity } from "./quantity.ts";

for (const [text = "", ...answers] of recorded.rows) {
  test(`${JSON.stringify(text)} reads and prints as upstream does`, () => {
    if (answers.length === 0) {
      expect(parseQuantity(text)).toBeUndefined();
      return;
    }
    expect([canonicalQuantity(text), canonicalQuantity(text, "milli")]).toEqual(answers);
  });
}

test("amounts compare by what they mean, not by how they are written", () => {
  const compare = (a: string, b: string) => compareQuantities(parseQuantity(a)!, parseQuantity(b)!);
  expect(compare("1", "1000m")).toBe(0);
  expect(compare("1Gi", "1G")).toBe(1);
  expect(compare("-1", "0")).toBe(-1);
});

test("an exponent that would cost memory without bound is refused", () => {
  expect(parseQuantity("1e999999999")).toBeUndefined();
});
