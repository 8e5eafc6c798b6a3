import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { boundHeapGrowth, growthPercent } from "./heap-growth.ts";

test("the heap is looked at again and again, until it is enough", async () => {
  const clock = new VirtualClock();
  const stop = boundHeapGrowth(clock);
  await clock.advance(10_000);
  expect(clock.pending).toBe(1);
  stop();
  expect(clock.pending).toBe(0);
});

const bounds = [
  { fromBytes: 400, percent: 25 },
  { fromBytes: 2_000, percent: 15 },
];
const growths: Readonly<Record<string, readonly [usedBytes: number, percent: number]>> = {
  "a small heap grows as the engine likes": [399, 0],
  "a larger one holds little garbage": [400, 25],
  "a very large one holds less": [2_000, 15],
};

for (const [sentence, [usedBytes, percent]] of Object.entries(growths))
  test(sentence, () => expect(growthPercent(usedBytes, bounds)).toBe(percent));
