import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTime } from "./clock.ts";

const bySystem = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

test("a time is written as the engine writes it, whichever it is", () => {
  const times = fc.oneof(
    fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
    fc.integer({ min: 0, max: 253_402_300_799_999 }),
  );
  fc.assert(
    fc.property(times, (ms) => {
      expect(formatTime(ms)).toBe(bySystem(ms));
    }),
    { numRuns: 5_000 },
  );
});

test("every day from 1970 to 2110 has the right date, leap days too", () => {
  for (let ms = 86_399_999; ms < Date.UTC(2110, 0, 1); ms += 86_400_000) expect(formatTime(ms)).toBe(bySystem(ms));
});

test("what is no time is refused", () => {
  expect(() => formatTime(Number.NaN)).toThrow(RangeError);
});
