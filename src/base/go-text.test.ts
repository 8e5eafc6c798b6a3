import { expect, test } from "vitest";
import { goFloat, goQuote } from "./go-text.ts";

test("strings are quoted as Go's %q quotes them", () => {
  expect(goQuote("plain")).toBe('"plain"');
  expect(goQuote('a\u0000\u007fé\u2028😀\u{e0001}"\\')).toBe('"a\\x00\\x7fé\\u2028😀\\U000e0001\\"\\\\"');
  expect(goQuote("\u00a0\n\ud800")).toBe('"\\u00a0\\n\\ufffd"');
});

test("numbers are printed as Go's %v prints a float64", () => {
  const printed = [0, 1.5, 100_000, 1_000_000, 1_234_567, 1e21, 0.0001, 0.00001, -2.5e-7, 123_456.789].map(goFloat);
  const expected = [
    "0",
    "1.5",
    "100000",
    "1e+06",
    "1.234567e+06",
    "1e+21",
    "0.0001",
    "1e-05",
    "-2.5e-07",
    "123456.789",
  ];
  expect(printed).toEqual(expected);
});
