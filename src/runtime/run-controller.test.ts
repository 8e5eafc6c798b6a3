import { expect, test } from "vitest";
import { StatusError } from "#api/meta/status-error.ts";
import { type Logger, silentLogger } from "#base/logger.ts";
import type { Plan } from "#base/plan.ts";
import { settle, VirtualClock } from "#test/world/virtual-clock.ts";
import { type Controller, TerminalError } from "./controller.ts";
import type { Lane } from "./ready-keys.ts";
import { runController } from "./run-controller.ts";

/** A controller that does what the test says, and what it did. */
function world(script: Partial<Pick<Controller<string, string>, "gather" | "decide" | "apply" | "stepsAtOnce">> = {}) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const lines: string[] = [];
  const write = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const log: Logger = { error: write("error"), info: write("info"), debug: write("debug"), child: () => log };
  const turns: string[] = [];
  const applied: string[] = [];
  let enqueue: (key: string, lane: Lane) => void = () => {};
  let watching = false;
  const running = runController<string, string>(
    {
      name: "test",
      watches: [
        (add) => {
          enqueue = add;
          watching = true;
          return () => {
            watching = false;
          };
        },
      ],
      ...(script.stepsAtOnce === undefined ? {} : { stepsAtOnce: script.stepsAtOnce }),
      gather: (key, signal) => {
        turns.push(key);
        return script.gather === undefined ? key : script.gather(key, signal);
      },
      decide: script.decide ?? ((facts): Plan<string> => ({ steps: [facts] })),
      apply: async (step, facts, signal) => {
        await script.apply?.(step, facts, signal);
        applied.push(step);
      },
    },
    { clock, log, signal: stop.signal, workers: 2 },
  );
  return {
    clock,
    stop,
    lines,
    turns,
    applied,
    running,
    isWatching: () => watching,
    add: (key: string, lane: Lane = "user") => enqueue(key, lane),
  };
}

test("every step of a plan is taken, in order", async () => {
  const { add, applied, running } = world({ decide: (facts) => ({ steps: [`${facts}1`, `${facts}2`] }) });
  add("a");
  add("b");
  await running.queue.whenIdle();
  expect(applied.filter((step) => step.startsWith("a"))).toEqual(["a1", "a2"]);
  expect(applied.filter((step) => step.startsWith("b"))).toEqual(["b1", "b2"]);
});

test("nothing is decided about what is not there", async () => {
  const { add, running, turns, applied } = world({ gather: () => undefined });
  add("a");
  await running.queue.whenIdle();
  expect([turns, applied]).toEqual([["a"], []]);
});

test("a plan that waits is looked at again in time, and only then", async () => {
  const { add, clock, turns } = world({ decide: () => ({ steps: [], waitFor: { reason: "tea", retryAfterMs: 500 } }) });
  add("a");
  await clock.advance(499);
  expect(turns).toEqual(["a"]);
  await clock.advance(1);
  expect(turns).toEqual(["a", "a"]);
});

test("a plan that waits for an event is not looked at again by itself", async () => {
  const { add, clock, turns } = world({ decide: () => ({ steps: [], waitFor: { reason: "an event" } }) });
  add("a");
  await clock.advance(86_400_000);
  expect(turns).toEqual(["a"]);
});

const verdicts: Record<string, { error: Error; turns: number; line: string; again?: string }> = {
  "an error is logged once and tried again": {
    error: new Error("no"),
    turns: 3,
    line: "error: reconcile failed",
    again: "debug: reconcile failed as before",
  },
  "a conflict is tried again without a word": {
    error: StatusError.conflict({ group: "", resource: "pods", name: "a" }, "modified"),
    turns: 3,
    line: "debug: conflict",
  },
  "what retrying cannot help is not retried": {
    error: new TerminalError("never"),
    turns: 1,
    line: "error: reconcile refused",
  },
};
for (const [name, { error, turns, line, again }] of Object.entries(verdicts)) {
  test(name, async () => {
    const { add, clock, turns: seen, lines } = world({ apply: () => Promise.reject(error) });
    add("a");
    await clock.advance(5 + 10); // two retries
    expect(seen).toHaveLength(turns);
    expect(lines).toEqual(Array.from({ length: turns }, (_, turn) => (turn === 0 ? line : (again ?? line))));
  });
}

test("a step that fails keeps the later ones from being taken", async () => {
  const { add, applied } = world({
    decide: () => ({ steps: ["one", "two", "three"] }),
    apply: async (step) => {
      if (step === "two") throw new TerminalError("no");
    },
  });
  add("a");
  await settle();
  expect(applied).toEqual(["one"]);
});

test("as many steps of a plan are taken at once as may be, and the turn ends with the last", async () => {
  const releases: (() => void)[] = [];
  const { add, applied, running } = world({
    stepsAtOnce: 2,
    decide: () => ({ steps: ["one", "two", "three"] }),
    apply: () => new Promise<void>((resolve) => releases.push(resolve)),
  });
  add("a");
  await settle();
  expect(releases).toHaveLength(2);
  releases[1]?.();
  await settle();
  expect({ applied, begun: releases.length }).toEqual({ applied: ["two"], begun: 3 });
  releases[0]?.();
  await settle();
  expect(running.queue.active).toBe(1);
  releases[2]?.();
  await settle();
  expect({ applied, active: running.queue.active }).toEqual({ applied: ["two", "one", "three"], active: 0 });
});

test("of steps that are taken at once each is tried, and whatever can be tried again is", async () => {
  const refusals = new Map<string, Error>([
    ["one", new TerminalError("no")],
    ["two", new Error("not now")],
  ]);
  const { add, applied, turns, clock } = world({
    stepsAtOnce: 2,
    decide: () => ({ steps: ["one", "two", "three", "four"] }),
    apply: async (step) => {
      const refusal = refusals.get(step);
      if (refusal !== undefined) throw refusal;
    },
  });
  add("a");
  await settle();
  expect(applied).toEqual(["three", "four"]);
  refusals.clear();
  await clock.advance(5); // one retry
  expect({ turns, applied: applied.slice(2) }).toEqual({ turns: ["a", "a"], applied: ["one", "two", "three", "four"] });
});

test("as many keys are worked on at once as there are workers, and never one twice", async () => {
  const waiting: (() => void)[] = [];
  const { add, running, turns } = world({
    gather: (key) => new Promise((resolve) => waiting.push(() => resolve(key))),
  });
  for (const key of ["a", "b", "c"]) add(key);
  await settle();
  add("a");
  expect(turns).toEqual(["a", "b"]);
  waiting.shift()?.();
  await settle();
  expect(turns).toEqual(["a", "b", "c"]);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    next();
    await settle();
  }
  expect(turns).toEqual(["a", "b", "c", "a"]);
  expect(running.queue.active).toBe(0);
});

test("after the signal nothing new begins, a plan under way stops at its next step, and then it has stopped", async () => {
  const releases: (() => void)[] = [];
  const { add, stop, running, applied, turns, isWatching } = world({
    decide: (facts) => ({ steps: [`${facts}1`, `${facts}2`] }),
    apply: () => new Promise<void>((resolve) => releases.push(resolve)),
  });
  for (const key of ["a", "b", "c"]) add(key);
  await settle();
  let stopped = false;
  void running.stopped.then(() => {
    stopped = true;
  });
  stop.abort();
  expect(isWatching()).toBe(false);
  add("d");
  releases[0]?.();
  await settle();
  expect(stopped).toBe(false);
  releases[1]?.();
  await settle();
  expect({ stopped, turns, applied }).toEqual({ stopped: true, turns: ["a", "b"], applied: ["a1", "b1"] });
});

test("an error after the signal is nobody's business", async () => {
  let fail: (error: Error) => void = () => {};
  const { add, stop, running, lines } = world({ gather: () => new Promise((_, reject) => (fail = reject)) });
  add("a");
  await settle();
  stop.abort();
  fail(new Error("the store is closed"));
  await running.stopped;
  expect(lines).toEqual([]);
});

test("a controller whose signal is over before it starts does nothing", async () => {
  const stop = new AbortController();
  stop.abort();
  let watched = false;
  const running = runController<string, string>(
    {
      name: "late",
      watches: [
        () => {
          watched = true;
          return () => {};
        },
      ],
      gather: (key) => key,
      decide: () => ({ steps: [] }),
      apply: async () => {},
    },
    { clock: new VirtualClock(), log: silentLogger, signal: stop.signal },
  );
  await running.stopped;
  expect(watched).toBe(false);
});

test("a server that asks for time gets it, also where its answer is only the cause of the error", async () => {
  const asked = StatusError.tooManyRequests("slow down", 7);
  for (const error of [asked, new Error("cannot create", { cause: asked })]) {
    const { add, clock, turns } = world({ apply: () => Promise.reject(error) });
    add("a");
    await clock.advance(6_999);
    expect(turns).toEqual(["a"]);
    await clock.advance(1);
    expect(turns).toEqual(["a", "a"]);
  }
});

test("an observer sees every turn and step with its result; durations come from the clock", async () => {
  const seen: string[] = [];
  const clock = new VirtualClock();
  const pause = () => new Promise<void>((resolve) => clock.after(2, resolve));
  runController<string, string>(
    {
      name: "test",
      watches: [
        (enqueue) => {
          for (const key of ["good", "bad"]) enqueue(key, "user");
          return () => {};
        },
      ],
      gather: (key) => key,
      decide: (step) => ({ steps: [step] }),
      apply: async (step) => {
        await pause();
        if (step === "bad") throw new TerminalError("no");
      },
    },
    {
      clock,
      log: silentLogger,
      signal: new AbortController().signal,
      workers: 1,
      observer: {
        turn: (key, { result, seconds }) => seen.push(`turn ${key} ${result} ${seconds}`),
        step: (step, { facts, result, seconds }) => seen.push(`step ${step} of ${facts} ${result} ${seconds}`),
      },
    },
  );
  await clock.advance(10);
  expect(seen).toEqual([
    "step good of good success 0.002",
    "turn good success 0.002",
    "step bad of bad error 0.002",
    "turn bad error 0.002",
  ]);
});

test("a long queue is left now and then for all else that waits", async () => {
  let ms = 0;
  const resume: (() => void)[] = [];
  const { clock, add, turns } = world({
    gather: (key) => {
      ms += 4; // a turn that takes its time, and waits for nothing
      return key;
    },
  });
  const pause = () => new Promise<void>((resolve) => resume.push(resolve));
  Object.assign(clock, { elapsedMs: () => ms, pause });
  for (let key = 0; key < 20; key++) add(`k${key}`);
  await settle();
  expect(turns.length).toBeLessThan(6);
  for (let round = 0; round < 20; round++) {
    for (const each of resume.splice(0)) each();
    await settle();
  }
  expect(turns).toHaveLength(20);
});
