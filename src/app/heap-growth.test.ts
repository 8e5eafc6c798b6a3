import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { boundHeapGrowth } from "./heap-growth.ts";

test("the heap is looked at again and again, until it is enough", async () => {
  const clock = new VirtualClock();
  const stop = boundHeapGrowth(clock);
  await clock.advance(10_000);
  expect(clock.pending).toBe(1);
  stop();
  expect(clock.pending).toBe(0);
});
