import { expect, test } from "vitest";
import { humanDuration } from "./human-duration.ts";

const s = 1000;
const m = 60 * s;
const h = 60 * m;
const d = 24 * h;
const rows: Record<string, number> = {
  "<invalid>": -2 * s,
  "0s": -1500,
  "119s": 119 * s + 999,
  "2m": 2 * m,
  "5m32s": 5 * m + 32 * s,
  "10m": 10 * m + 59 * s,
  "179m": 179 * m,
  "3h": 3 * h,
  "7h59m": 7 * h + 59 * m + 59 * s,
  "47h": 47 * h + 59 * m,
  "2d": 2 * d,
  "3d4h": 3 * d + 4 * h,
  "8d": 8 * d + 23 * h,
  "729d": 729 * d,
  "2y10d": 740 * d,
  "3y": 3 * 365 * d,
  "8y": 8 * 365 * d + 364 * d,
};
for (const [shown, ms] of Object.entries(rows)) {
  test(`${ms} ms are shown as ${shown}`, () => expect(humanDuration(ms)).toBe(shown));
}
