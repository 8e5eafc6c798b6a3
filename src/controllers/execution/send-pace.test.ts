import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { SendPace } from "./send-pace.ts";

test("SEC-48: of changes at 100 Hz at most one a second goes out, after the first few", async () => {
  const clock = new VirtualClock();
  const pace = new SendPace(clock);
  let sent = 0;
  for (let change = 0; change < 6_000; change++) {
    if (pace.waitMs("w") === 0) {
      pace.sent("w");
      sent++;
    }
    await clock.advance(10);
  }
  expect(sent).toBeGreaterThanOrEqual(60);
  expect(sent).toBeLessThanOrEqual(65);
});

test("a few edits go out at once, other works are not held up, and a pause makes good", async () => {
  const clock = new VirtualClock();
  const pace = new SendPace(clock);
  for (let edit = 0; edit < 5; edit++) {
    expect(pace.waitMs("w")).toBe(0);
    pace.sent("w");
  }
  expect([pace.waitMs("w"), pace.waitMs("other")]).toEqual([1_000, 0]);
  await clock.advance(5_000);
  expect(pace.waitMs("w")).toBe(0);
});
