import { describe, expect, test } from "vitest";
import { storageContract } from "./contract.ts";
import { sample, watchInto } from "./contract-sample.ts";
import { storageModel } from "./model-contract.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { sqliteVariant, temporaryDirectories, testOptions } from "./sqlite-variant.ts";

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
