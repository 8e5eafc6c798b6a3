import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { boundThreadHeaps } from "./thread-heaps.ts";

/** Makes garbage until its young generation is as large as it gets, and says how large. */
const thread = `
  const { parentPort } = require("node:worker_threads");
  const { getHeapSpaceStatistics } = require("node:v8");
  let alive = [];
  for (let made = 0; made < 3_000_000; made++) {
    alive.push({ made });
    if (alive.length > 1_000) alive = [];
  }
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  parentPort.postMessage(space_size / 2 ** 20);
`;

test("a thread has little room for what dies young, however much the program was started with", async () => {
  setFlagsFromString("--min-semi-space-size=32");
  setFlagsFromString("--max-semi-space-size=32");
  boundThreadHeaps();
  const worker = new Worker(thread, { eval: true });
  const [megabytes] = await once(worker, "message");
  await worker.terminate();
  expect(megabytes).toBeLessThanOrEqual(8);
});
