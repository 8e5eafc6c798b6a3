import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { RepairPace } from "./repair-pace.ts";

/** A member undoes every repair at once: how many repairs there are within a time. */
async function fight(pace: RepairPace, clock: VirtualClock, forMs: number): Promise<number> {
  const endMs = clock.nowMs() + forMs;
  let repairs = 0;
  while (clock.nowMs() < endMs) {
    const waitMs = pace.waitMs("w", 1);
    if (waitMs > 0) await clock.advance(Math.min(waitMs, endMs - clock.nowMs()));
    else {
      pace.sent("w", 1);
      repairs++;
      await clock.advance(10);
    }
  }
  return repairs;
}

test("SEC-19: a member that undoes every repair gets at most 20 writes an hour, once it is known for that", async () => {
  const clock = new VirtualClock();
  const pace = new RepairPace(clock);
  await fight(pace, clock, 600_000);
  expect(await fight(pace, clock, 3_600_000)).toBeLessThanOrEqual(20);
});

test("a few slips are put right at once", () => {
  const pace = new RepairPace(new VirtualClock());
  for (let i = 0; i < 5; i++) {
    pace.sent("w", 1);
    expect(pace.waitMs("w", 1)).toBe(0);
  }
});

test("a new state is sent at once, whatever happened to the old one, and so are other works", async () => {
  const clock = new VirtualClock();
  const pace = new RepairPace(clock);
  await fight(pace, clock, 600_000);
  expect([pace.waitMs("w", 1) > 0, pace.waitMs("w", 2), pace.waitMs("other", 1)]).toEqual([true, 0, 0]);
});

test("after a long peace the quarrel is forgotten", async () => {
  const clock = new VirtualClock();
  const pace = new RepairPace(clock);
  await fight(pace, clock, 600_000);
  await clock.advance(600_000);
  pace.sent("w", 1);
  expect(pace.waitMs("w", 1)).toBe(0);
});
