import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { WorkQueue } from "./work-queue.ts";

const done = { failed: false };
const failed = { failed: true };

function open() {
  const clock = new VirtualClock();
  return { clock, queue: new WorkQueue({ clock, firstRetryMs: 5, maxRetryMs: 100 }) };
}

function takeAll(queue: WorkQueue): string[] {
  const keys: string[] = [];
  for (let key = queue.take(); key !== undefined; key = queue.take()) keys.push(key);
  return keys;
}

test("a key waits once, however often it is added", () => {
  const { queue } = open();
  queue.add("a", "background");
  queue.add("b", "background");
  queue.add("a", "background");
  expect(queue.size).toBe(2);
  expect(takeAll(queue)).toEqual(["a", "b"]);
});

test("a user's edit overtakes background work, also for a key that waits already", () => {
  const { queue } = open();
  for (const key of ["a", "b", "c"]) queue.add(key, "background");
  queue.add("c", "user");
  queue.add("d", "user");
  queue.add("c", "background");
  expect(takeAll(queue)).toEqual(["c", "d", "a", "b"]);
});

test("higher priorities are served first, whatever the lane; equal ones by lane and arrival", () => {
  const priorities = new Map([
    ["low", -5],
    ["high", 1_000],
    ["late", 0],
  ]);
  const queue = new WorkQueue({ clock: new VirtualClock(), priorityOf: (key) => priorities.get(key) ?? 0 });
  for (const key of ["low", "a", "late", "b", "high"]) queue.add(key, key === "b" ? "user" : "background");
  priorities.set("late", 1_000);
  queue.add("late", "background");
  priorities.set("high", -1_000);
  queue.add("high", "background");
  expect(takeAll(queue)).toEqual(["high", "late", "b", "a", "low"]);
});

test("it tells what was added, how long it waited and what was put off", async () => {
  const told: string[] = [];
  const clock = new VirtualClock();
  const figures = {
    added: () => told.push("added"),
    waited: (ms: number) => told.push(`waited ${ms}`),
    retried: () => told.push("retried"),
  };
  const queue = new WorkQueue({ clock, figures });
  queue.add("a", "background");
  await clock.advance(10);
  queue.add("a", "user"); // goes forward, and has waited all the same
  await clock.advance(5);
  queue.take();
  queue.finish("a", failed);
  expect(told).toEqual(["added", "waited 15", "retried"]);
  expect(queue.delayed).toBe(1);
});

test("a key that is added while somebody works on it comes again afterwards", () => {
  const { queue } = open();
  queue.add("a", "background");
  expect(queue.take()).toBe("a");
  queue.add("a", "background");
  queue.add("a", "user");
  expect(queue.take()).toBeUndefined();
  queue.add("b", "background");
  queue.finish("a", done);
  expect(takeAll(queue)).toEqual(["a", "b"]);
});

test("failures are retried later and later, and success starts over", async () => {
  const { queue, clock } = open();
  queue.add("a", "user");
  const waits: number[] = [];
  for (let round = 0; round < 7; round++) {
    expect(queue.take()).toBe("a");
    queue.finish("a", failed);
    const since = clock.nowMs();
    while (queue.size === 0) await clock.advance(1);
    waits.push(clock.nowMs() - since);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 100, 100]);
  queue.take();
  queue.finish("a", done);
  await clock.advance(1_000);
  expect(queue.size).toBe(0);
  queue.add("a", "user");
  queue.take();
  queue.finish("a", failed);
  await clock.advance(5);
  expect(queue.size).toBe(1);
});

test("a failure counts even when the key was added again meanwhile", async () => {
  const { queue, clock } = open();
  queue.add("a", "user");
  queue.take();
  queue.add("a", "user");
  queue.finish("a", failed);
  expect(queue.take()).toBe("a");
  queue.finish("a", failed);
  await clock.advance(9);
  expect(queue.size).toBe(0);
  await clock.advance(1);
  expect(queue.size).toBe(1);
});

test("of two delays the earlier counts", async () => {
  const { queue, clock } = open();
  queue.addAfter("a", 50);
  queue.addAfter("a", 20);
  queue.addAfter("a", 90);
  await clock.advance(19);
  expect(queue.size).toBe(0);
  await clock.advance(1);
  expect(takeAll(queue)).toEqual(["a"]);
  queue.finish("a", done);
  await clock.advance(1_000);
  expect(queue.size).toBe(0);
});

test("an edit makes a delay pointless", async () => {
  const { queue, clock } = open();
  queue.addAfter("a", 50);
  queue.add("a", "user");
  expect(clock.pending).toBe(0);
  expect(takeAll(queue)).toEqual(["a"]);
});

test("a plan that waits comes back when it said", async () => {
  const { queue, clock } = open();
  queue.add("a", "user");
  queue.take();
  queue.finish("a", { failed: false, retryAfterMs: 30 });
  await clock.advance(29);
  expect(queue.size).toBe(0);
  await clock.advance(1);
  expect(queue.size).toBe(1);
});

test("a server that asks for time is not asked before, nor left alone for much longer, however often it does", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  const waits: number[] = [];
  const fail = async (retryAfterMs?: number) => {
    queue.take();
    queue.finish("a", { failed: true, retryAfterMs });
    const since = clock.nowMs();
    while (queue.size === 0) await clock.advance(5);
    waits.push(clock.nowMs() - since);
  };
  queue.add("a", "user");
  for (let i = 0; i < 20; i++) await fail(1_000);
  expect([waits[0], Math.max(...waits)]).toEqual([1_000, 4_000]);
  await fail();
  expect(waits.at(-1)).toBeLessThanOrEqual(8_000);
});

test("idle is when nothing is ready or worked on; what is delayed does not count", async () => {
  const { queue } = open();
  await queue.whenIdle();
  queue.add("a", "user");
  queue.addAfter("b", 1_000);
  let idle = false;
  const waiting = queue.whenIdle().then(() => {
    idle = true;
  });
  queue.take();
  await Promise.resolve();
  expect(idle).toBe(false);
  queue.finish("a", done);
  await waiting;
});

test("it tells of a key whether it waits or is worked on, not whether it comes later", () => {
  const { queue } = open();
  queue.add("a", "user");
  queue.addAfter("b", 1_000);
  expect(["a", "b", "c"].map((key) => queue.has(key))).toEqual([true, false, false]);
  queue.take();
  expect(queue.has("a")).toBe(true);
  queue.finish("a", done);
  expect(queue.has("a")).toBe(false);
});

test("a closed queue drops what waits, takes nothing and is idle when the last worker is done", async () => {
  const { queue, clock } = open();
  queue.add("a", "user");
  queue.add("b", "user");
  queue.addAfter("c", 10);
  queue.take();
  queue.add("a", "user");
  queue.close();
  queue.add("d", "user");
  queue.addAfter("e", 1);
  expect([queue.size, queue.active, clock.pending]).toEqual([0, 1, 0]);
  const idle = queue.whenIdle();
  queue.finish("a", failed);
  await idle;
  expect([queue.size, clock.pending]).toEqual([0, 0]);
});

/** What a queue owes, kept the slow way: the set of keys somebody still has to look at. */
interface Model {
  readonly owed: Set<string>;
  readonly active: string[];
}

const key = fc.constantFrom("a", "b", "c", "d");
const action = fc.oneof(
  fc.record({ do: fc.constant("add" as const), key, lane: fc.constantFrom("user" as const, "background" as const) }),
  fc.record({ do: fc.constant("addAfter" as const), key, delayMs: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ do: fc.constant("take" as const) }),
  fc.record({ do: fc.constant("finish" as const), failed: fc.boolean(), at: fc.nat(3) }),
  fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 60 }) }),
);

test("no key is lost, and no two workers ever hold the same one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const { queue, clock } = open();
      const model: Model = { owed: new Set(), active: [] };
      for (const each of actions) await act(each, { queue, clock, model });
      for (const held of model.active.splice(0)) queue.finish(held, done);
      await clock.advance(1_000);
      const rest = takeAll(queue);
      expect(new Set(rest).size).toBe(rest.length);
      expect(rest).toEqual(expect.arrayContaining([...model.owed]));
    }),
    { numRuns: 300 },
  );
});

async function act(
  each: typeof action extends fc.Arbitrary<infer Action> ? Action : never,
  { queue, clock, model }: { queue: WorkQueue; clock: VirtualClock; model: Model },
): Promise<void> {
  switch (each.do) {
    case "add":
      queue.add(each.key, each.lane);
      model.owed.add(each.key);
      return;
    case "addAfter":
      queue.addAfter(each.key, each.delayMs);
      model.owed.add(each.key);
      return;
    case "take": {
      const taken = queue.take();
      if (taken === undefined) return;
      expect(model.active).not.toContain(taken);
      model.active.push(taken);
      model.owed.delete(taken);
      return;
    }
    case "finish": {
      const [held] = model.active.splice(each.at % Math.max(1, model.active.length), 1);
      if (held === undefined) return;
      queue.finish(held, { failed: each.failed });
      if (each.failed) model.owed.add(held);
      return;
    }
    case "pass":
      await clock.advance(each.ms);
  }
}
