import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { boundHeapGrowth, stepAt } from "./heap-growth.ts";

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
  { fromBytes: 2_000, percent: 15, youngGrows: true },
];
const growths: Readonly<Record<string, readonly [usedBytes: number, percent: number, youngGrows?: boolean]>> = {
  "a small heap grows as the engine likes": [399, 0],
  "a larger one holds little garbage": [400, 25],
  "a very large one holds less, and is collected less often for what dies young": [2_000, 15, true],
};

for (const [sentence, [usedBytes, percent, youngGrows]] of Object.entries(growths))
  test(sentence, () => expect(stepAt(usedBytes, bounds)).toMatchObject({ percent, ...(youngGrows && { youngGrows }) }));

/** Makes garbage of which some lives on, whenever it is asked to, and says how large its young generation has become. */
const thread = `
  const { parentPort } = require("node:worker_threads");
  const { getHeapSpaceStatistics } = require("node:v8");
  const alive = [];
  parentPort.on("message", () => {
    for (let made = 0; made < 8_000_000; made++) if (made % 4 === 0) alive[(made / 4) % 400_000] = { made, more: [made] };
    const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    parentPort.postMessage(space_size / 2 ** 20);
  });
`;

test("the engine lets the young generation grow from that step on, and not before", async () => {
  const clock = new VirtualClock();
  setFlagsFromString("--min-semi-space-size=8"); // as the program is started, smaller
  setFlagsFromString("--max-semi-space-size=32");
  const worker = new Worker(thread, { eval: true });
  const churn = async () => {
    worker.postMessage("");
    return (await once(worker, "message"))[0] as number;
  };
  await once(worker, "online");
  const hold = boundHeapGrowth(clock, [{ fromBytes: Number.POSITIVE_INFINITY, percent: 60, youngGrows: true }]);
  expect(await churn()).toBeLessThanOrEqual(16);
  hold();
  const letGo = boundHeapGrowth(clock, [{ fromBytes: 0, percent: 60, youngGrows: true }]);
  expect(await churn()).toBeGreaterThanOrEqual(32);
  letGo();
  await worker.terminate();
});
