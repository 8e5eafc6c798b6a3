import fc from "fast-check";
import { expect, it } from "vitest";
import { isWireTime } from "./calendar.ts";

it("takes every time that we write", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
      (date) => isWireTime(`${date.toISOString().slice(0, 19)}Z`),
    ),
  );
});

it("takes a text exactly if its date prints as the same text", () => {
  const digit = fc.constantFrom(..."0123456789");
  const pair = fc.tuple(digit, digit).map((digits) => digits.join(""));
  const parts = fc.tuple(pair, pair, pair, pair, pair, pair, pair);
  fc.assert(
    fc.property(parts, ([century, year, month, day, hour, minute, second]) => {
      const text = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
      const date = new Date(text);
      const isTime = !Number.isNaN(date.getTime()) && `${date.toISOString().slice(0, 19)}Z` === text;
      expect(isWireTime(text)).toBe(isTime);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  "",
  "2026-11-15",
  "2026-11-15T18:20:23+",
  "2026-11-15t18:20:23Z",
  "2026-11-15T18:20:2xZ",
  "2026-11-15T18:20:23.1Z",
  "+026-11-15T18:20:23Z",
])("leaves %j to others", (text) => expect(isWireTime(text)).toBe(false));
