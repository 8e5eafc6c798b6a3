import { expect, test } from "vitest";
import { formatTime } from "./clock.ts";
import { TimeTexts } from "./time-texts.ts";

test("it says the time of the clock, forwards and backwards", () => {
  let nowMs = 0;
  const times = new TimeTexts({ nowMs: () => nowMs });
  for (nowMs of [0, 999, 1_000, 1_763_164_800_000, 1_763_164_800_500, 1_763_164_801_000, 1_763_164_800_999, -1, 0])
    expect(times.now()).toBe(formatTime(nowMs));
});
