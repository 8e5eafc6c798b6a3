import { expect, test } from "vitest";
import { type CompactionClock, startAutoCompaction } from "./auto-compaction.ts";
import { sample } from "./contract-sample.ts";
import { openMemoryStore } from "./memory-store.ts";
import type { Store } from "./store.ts";

const minute = 60_000;

test("history is kept for five minutes and forgotten after", async () => {
  const { clock, passes } = fakeClock();
  const store = openMemoryStore<unknown>();
  startAutoCompaction(store, { clock, minimumChanges: 10, onError: failOn });
  await write(store, 20);
  await passes(4 * minute);
  await write(store, 5);
  expect(oldest(store)).toBe(0);
  await passes(2 * minute);
  expect(oldest(store)).toBe(20);
  await passes(10 * minute);
  expect(oldest(store)).toBe(20); // five more changes are not worth it
});

test("a compaction that fails is reported and tried again", async () => {
  const { clock, passes } = fakeClock();
  const errors: unknown[] = [];
  let attempts = 0;
  const failing = { revision: 5, compact: () => Promise.reject(new Error(`no ${++attempts}`)) };
  startAutoCompaction(failing, { clock, minimumChanges: 1, onError: (error) => errors.push(String(error)) });
  await passes(7 * minute);
  expect(errors.slice(0, 2)).toEqual(["Error: no 1", "Error: no 2"]);
});

test("one compaction runs at a time, and none after the end", async () => {
  const { clock, passes } = fakeClock();
  let started = 0;
  const endless = { revision: 5, compact: () => new Promise<void>(() => started++) };
  startAutoCompaction(endless, { clock, minimumChanges: 1, onError: failOn });
  const end = startAutoCompaction(endless, { clock, minimumChanges: 1, onError: failOn });
  end();
  await passes(20 * minute);
  expect(started).toBe(1);
});

function fakeClock() {
  let time = 0;
  const timers = new Set<() => void>();
  const clock: CompactionClock = {
    now: () => time,
    every: (_intervalMs, call) => {
      timers.add(call);
      return () => timers.delete(call);
    },
  };
  const passes = async (ms: number) => {
    for (const end = time + ms; time < end; ) {
      time += 30_000;
      for (const call of timers) call();
      await new Promise(setImmediate);
    }
  };
  return { clock, passes };
}

async function write(store: Store<unknown>, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await store.create(`apps/deployments/shop/d${store.revision}`, sample("x"));
  }
}

/** The oldest revision that can still be watched from. */
function oldest(store: Store<unknown>): number {
  const result = store.watch({ prefix: "apps/deployments/", after: -1, deliver: () => undefined });
  return result.ok ? -1 : result.oldest;
}

function failOn(error: unknown): void {
  expect.fail(String(error));
}
