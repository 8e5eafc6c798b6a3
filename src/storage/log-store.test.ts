import { expect, test } from "vitest";
import type { CommitOutcome, Committer, DurableWrite } from "./committer.ts";
import { type Sample, sample, watchInto } from "./contract-sample.ts";
import { LogStore } from "./log-store.ts";
import { StoreFailure } from "./store-failure.ts";

const web = "apps/deployments/shop/web";
const api = "apps/deployments/shop/api";
const prefix = "apps/deployments/";

test("before a write is durable nobody can tell that it was made", async () => {
  const { store, disk } = heldStore();
  const { events } = watchInto(store, { prefix, after: 0 });
  const write = observed(store.create(web, sample("one")));
  await settled();
  const before = [store.get(web), store.revision, store.count(prefix), store.list({ prefix }), events, write.result];
  expect(before).toEqual([undefined, 0, 0, { ok: true, entries: [], revision: 0, remaining: 0 }, [], undefined]);

  disk.finish({ kept: "all" });
  await settled();
  const after = [store.get(web)?.revision, store.revision, store.count(prefix), events.length, write.result];
  expect(after).toMatchObject([1, 1, 1, 1, { ok: true }]);
});

test("what is refused only because of a write under way waits for that write", async () => {
  const { store, disk } = heldStore();
  void store.create(web, sample("one"));
  const second = observed(store.create(web, sample("two")));
  await settled();
  expect(second.result).toBeUndefined();
  disk.finish({ kept: "all" });
  await settled();
  expect(second.result).toMatchObject({ ok: false, why: "exists", entry: { revision: 1 } });
});

test("a write whose rival finds no space takes its place", async () => {
  const { store, disk } = heldStore();
  const first = observed(store.create(web, sample("one")));
  const second = observed(store.create(web, sample("two")));
  await settled();
  disk.finish({ kept: "nothing", detail: "full" });
  await settled();
  expect(first.result).toEqual({ ok: false, why: "noSpace", detail: "full" });
  disk.finish({ kept: "all" });
  await settled();
  expect(second.result).toMatchObject({ ok: true, entry: { revision: 2, value: { text: "two" } } });
});

test("a stale write is refused at once, whatever is under way", async () => {
  const { store, disk } = heldStore();
  void store.create(web, sample("one"));
  await settled();
  disk.finish({ kept: "all" });
  await settled();
  void store.update(web, 1, sample("two"));
  expect(await store.update(web, 7, sample("x"))).toMatchObject({ ok: false, why: "conflict", entry: { revision: 1 } });
});

test("when space lasts for deletions alone, only they happen, in order, with the gaps nobody saw", async () => {
  const { store, disk } = heldStore();
  void store.create(web, sample("one"));
  await settled();
  disk.finish({ kept: "all" });
  await settled();
  const { events } = watchInto(store, { prefix, after: 1 });
  const create = observed(store.create(api, sample("x")));
  const deletion = observed(store.delete(web, 1, sample("gone")));
  await settled();
  disk.finish({ kept: "deletions", detail: "full" });
  await settled();
  expect([create.result, deletion.result]).toMatchObject([{ why: "noSpace" }, { ok: true, entry: { revision: 3 } }]);
  expect(events.map((event) => [event.type, event.revision])).toEqual([["deleted", 3]]);
  expect(store.revision).toBe(3);
});

test("commits that overlap are applied in order", async () => {
  const { store, disk } = heldStore();
  const { events } = watchInto(store, { prefix, after: 0 });
  void store.create(web, sample("one"));
  await settled();
  void store.create(api, sample("two"));
  await settled();
  expect(disk.batches.map((batch) => batch.map(({ change }) => change.revision))).toEqual([[1], [2]]);
  disk.finish({ kept: "all" });
  disk.finish({ kept: "all" });
  await settled();
  expect(events.map((event) => event.revision)).toEqual([1, 2]);
});

test("after the disk failed, writes are refused with its error and reads go on", async () => {
  const { store, disk } = heldStore();
  void store.create(web, sample("one"));
  await settled();
  disk.finish({ kept: "all" });
  await settled();
  const failure = new StoreFailure("io", "cannot write: the disk failed");
  const lost = store.create(api, sample("lost"));
  const waiting = store.create(api, sample("behind it"));
  await settled();
  disk.fail(failure);
  await expect(lost).rejects.toBe(failure);
  await expect(waiting).rejects.toBe(failure);
  await expect(store.update(web, 1, sample("late"))).rejects.toBe(failure);
  await expect(store.compact(1)).rejects.toBe(failure);
  expect([store.get(web)?.revision, store.get(api), store.revision]).toEqual([1, undefined, 1]);
});

test("a watcher that throws does not leave another with a gap", async () => {
  const { store, disk } = heldStore();
  const uncaught = uncaughtErrors();
  store.watch({
    prefix,
    after: 0,
    deliver: () => {
      throw new Error("broken watcher");
    },
  });
  const { events } = watchInto(store, { prefix, after: 0 });
  void store.create(web, sample("one"));
  await settled();
  disk.finish({ kept: "all" });
  await settled();
  expect(events).toHaveLength(1);
  expect(uncaught.end()).toEqual(["Error: broken watcher"]);
});

test("a key without a group, a resource and a name is refused", async () => {
  const { store } = heldStore();
  for (const key of ["web", "apps/web", "apps/deployments/"]) {
    await expect(store.create(key, sample("x"))).rejects.toThrow(`cannot use key "${key}"`);
  }
  expect(() => store.list({ prefix: "apps" })).toThrow(`cannot use prefix "apps"`);
});

/** A store whose commits end when the test says so, oldest first. */
function heldStore() {
  const batches: (readonly DurableWrite<Sample>[])[] = [];
  const waiting: { resolve(outcome: CommitOutcome): void; reject(error: StoreFailure): void }[] = [];
  const committer: Committer<Sample> = {
    encode: ({ text }) => text,
    commit: (writes) => {
      batches.push(writes);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    compact: async () => undefined,
    close: async () => undefined,
  };
  const disk = {
    batches,
    finish: (outcome: CommitOutcome) => waiting.shift()?.resolve(outcome),
    fail: (error: StoreFailure) => waiting.shift()?.reject(error),
  };
  return { store: new LogStore({ committer, historyLimit: 100 }), disk };
}

/** A promise's result, as soon as there is one. */
function observed<Result>(promise: Promise<Result>): { result: Result | undefined } {
  const holder: { result: Result | undefined } = { result: undefined };
  void promise.then((result) => {
    holder.result = result;
  });
  return holder;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Collects what would otherwise end the program. */
function uncaughtErrors() {
  const errors: string[] = [];
  const others = process.rawListeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => errors.push(String(error)));
  return {
    end: () => {
      process.removeAllListeners("uncaughtException");
      // What was listening before is put back as it was.
      for (const listener of others) process.on("uncaughtException", listener as NodeJS.UncaughtExceptionListener);
      return errors;
    },
  };
}
