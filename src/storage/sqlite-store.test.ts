import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storageContract } from "./contract.ts";
import { type Sample, sample, watchInto } from "./contract-sample.ts";
import { storageModel } from "./model-contract.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { sqliteVariant, temporaryDirectories, testOptions } from "./sqlite-variant.ts";
import type { Store } from "./store.ts";

const newDirectory = temporaryDirectories();

storageContract("sqlite", sqliteVariant());
storageModel("sqlite", sqliteVariant());

describe("sqlite: after a restart", () => {
  const variant = sqliteVariant();
  const web = "apps/deployments/shop/web";
  const prefix = "apps/deployments/";

  test("revisions go on, also when nothing is left of the last ones", async () => {
    const store = await variant.open();
    await store.create(web, sample("one"));
    await store.delete(web, 1, sample("gone"));
    await store.compact(2);
    const again = await variant.reopen(store);
    expect([again.revision, again.count(prefix)]).toEqual([2, 0]);
    expect(await again.create(web, sample("next"))).toMatchObject({ entry: { revision: 3, createRevision: 3 } });
    await again[Symbol.asyncDispose]();
  });

  test("what was forgotten stays forgotten, also where everything was deleted", async () => {
    const store = await variant.open();
    await store.create(web, sample("one"));
    await store.delete(web, 1, sample("gone"));
    await store.create("/configmaps/shop/settings", sample("elsewhere"));
    await store.compact(3);
    const again = await variant.reopen(store);
    expect(watchInto(again, { prefix, after: 1 }).result).toMatchObject({ why: "compacted", oldest: 2 });
    expect(watchInto(again, { prefix, after: 2 }).result).toMatchObject({ ok: true });
    expect(watchInto(again, { prefix: "/secrets/", after: 0 }).result).toMatchObject({ ok: true });
    await again[Symbol.asyncDispose]();
  });

  test("what was replaced before the compacted revision is gone from the disk, and the rest is served", async () => {
    const store = await variant.open();
    await store.create(web, sample("x".repeat(1_000_000)));
    await store.update(web, 1, sample("y".repeat(1_000_000)));
    await store.update(web, 2, sample("small"));
    await store.compact(2);
    const twoLeft = await variant.reopen(store);
    expect(twoLeft.list({ prefix, at: 2 })).toMatchObject({ ok: true, entries: [{ revision: 2, createRevision: 1 }] });
    await twoLeft.compact(1); // backwards: nothing to do
    const again = await variant.reopen(twoLeft);
    const { events, result } = watchInto(again, { prefix, after: 2 });
    expect([result.ok, events.map((event) => event.previous?.text.length)]).toEqual([true, [1_000_000]]);
    expect(watchInto(again, { prefix, after: 1 }).result).toMatchObject({ why: "compacted", oldest: 2 });
    await again[Symbol.asyncDispose]();
  });
});

test("sqlite: a value that is too large is refused in words, takes no revision, and can be deleted where it is there already", async () => {
  const store = await openSqliteStore({ ...testOptions(newDirectory()), maxCharacters: 1_000 });
  const key = "/secrets/shop/fat";
  expect(await store.create(key, sample("x".repeat(2_000)))).toMatchObject({ why: "tooLarge" });
  expect(await store.create(key, sample("thin"))).toMatchObject({ entry: { revision: 1 } });
  expect(await store.update(key, 1, sample("x".repeat(2_000)))).toMatchObject({
    why: "tooLarge",
    detail: expect.stringContaining("an object may have 1000 characters"),
  });
  expect(await store.delete(key, 1, sample("x".repeat(2_000)))).toMatchObject({ ok: true, entry: { revision: 2 } });
  await store[Symbol.asyncDispose]();
});

/** A deletion that is left out lies between a change that is kept as state and those that are kept as history. */
const droppedAfterKept = ["a", "c", "-a", "a", "a", "a", "a", "a"].map((step) => ({
  key: `apps/deployments/shop/${step.replace("-", "")}`,
  deletes: step.startsWith("-"),
}));

test("sqlite: what was replaced before the kept changes is left out at a restart, and nobody can tell", async () => {
  const keys = ["a", "b", "c"].map((name) => `apps/deployments/shop/${name}`);
  const writes = fc.array(fc.record({ key: fc.constantFrom(...keys), deletes: fc.boolean() }), { maxLength: 24 });
  const compactions = fc.option(fc.nat({ max: 24 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(writes, compactions, async (steps, compacted) => {
      const options = { ...testOptions(newDirectory()), historyLimit: 5 };
      const store = await openSqliteStore(options);
      for (const [index, { key, deletes }] of steps.entries()) {
        const before = store.get(key);
        if (before === undefined) await store.create(key, sample(`${index}`));
        else await (deletes ? store.delete : store.update).call(store, key, before.revision, sample(`${index}`));
        if (index === compacted) await store.compact(index);
      }
      const seen = everythingOf(store);
      await store[Symbol.asyncDispose]();
      const again = await openSqliteStore(options);
      expect(everythingOf(again)).toEqual(seen);
      await again[Symbol.asyncDispose]();
    }),
    { numRuns: 15, examples: [[droppedAfterKept, undefined]] },
  );
});

/** What a store answers about each of its revisions. */
function everythingOf(store: Store<Sample>) {
  const prefix = "apps/deployments/";
  const revisions = Array.from({ length: store.revision + 1 }, (_, revision) => revision);
  return revisions.map((revision) => {
    const { events, result } = watchInto(store, { prefix, after: revision });
    return { revision, events, watch: result.ok || result, list: store.list({ prefix, at: revision }) };
  });
}
