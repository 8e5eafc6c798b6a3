import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Sample, sample } from "#storage/contract-sample.ts";
import { openSqliteStore, type SqliteStoreOptions } from "#storage/sqlite-store.ts";
import { temporaryDirectories, testOptions } from "#storage/sqlite-variant.ts";
import type { Store } from "#storage/store.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";

const newDirectory = temporaryDirectories();
const prefix = "apps/deployments/";
const opened: Store<Sample>[] = [];
const disks: SmallDisk[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
  for (const disk of disks.splice(0)) disk.remove();
});

const limits: Record<string, () => SqliteStoreOptions<Sample>> = {
  "under a quota": () => ({ ...testOptions(newDirectory()), maxBytes: 1 << 20 }),
  "on a small disk": () => {
    const disk = smallDisk(newDirectory(), 2 << 20);
    disks.push(disk);
    const { directory, maxBytes } = disk;
    const options = { ...testOptions(directory), reserveBytes: 256 << 10, checkpointBytes: 256 << 10 };
    return maxBytes === undefined ? options : { ...options, maxBytes };
  },
};

for (const [name, limit] of Object.entries(limits)) {
  test(`${name}, creates and updates are refused in words, and what was acknowledged stays`, async () => {
    const options = limit();
    const store = await open(options);
    const kept = await fillUp(store);
    expect(kept.length).toBeGreaterThan(50);
    expect(store.count(prefix)).toBe(kept.length);
    expect(await store.create(`${prefix}shop/late`, big("late"))).toMatchObject({ ok: false, why: "noSpace" });
    expect(await store.probe()).toContain("is full");
    expect(await store.update(kept[0]!, 1, big("late"))).toMatchObject({
      why: "noSpace",
      detail: expect.stringContaining(`the store in "${options.directory}" is full`),
    });
    expect(store.get(kept[0]!)).toMatchObject({ revision: 1, value: { text: expect.stringMatching(/^v0 /) } });

    const again = await reopen(store, options);
    expect(keysOf(again)).toEqual(kept.toSorted());
  });

  test(`${name}, nothing of a refused write is seen, now or after a restart`, async () => {
    const options = limit();
    const store = await open(options);
    const events: number[] = [];
    store.watch({ prefix, after: 0, deliver: (event) => events.push(event.revision) });
    const kept = await fillUp(store);
    expect(events).toHaveLength(kept.length);
    const { revision } = store;
    const again = await reopen(store, options);
    expect(again.revision).toBe(revision);
    expect(again.list({ prefix, at: revision })).toMatchObject({ ok: true, remaining: 0 });
  });

  test(`${name}, deletions still work, alone and beside refused creates`, async () => {
    const store = await open(limit());
    const kept = await fillUp(store);
    const types: string[] = [];
    store.watch({ prefix, after: store.revision, deliver: (event) => types.push(event.type) });
    const mixed = await Promise.all([
      store.create(`${prefix}shop/late`, big("late")),
      store.delete(kept[0]!, store.get(kept[0]!)!.revision, sample("gone")),
      store.create(`${prefix}shop/later`, big("later")),
      store.delete(kept[1]!, store.get(kept[1]!)!.revision, sample("gone")),
    ]);
    expect(mixed).toMatchObject([{ why: "noSpace" }, { ok: true }, { why: "noSpace" }, { ok: true }]);
    expect(await store.delete(kept[2]!, store.get(kept[2]!)!.revision, sample("gone"))).toMatchObject({ ok: true });
    expect(types).toEqual(["deleted", "deleted", "deleted"]);
    expect(store.count(prefix)).toBe(kept.length - 3);
  });

  test(`${name}, everything goes on by itself when deletions and compaction have made room`, async () => {
    const options = limit();
    const store = await open(options);
    const kept = await fillUp(store);
    for (let round = 0; round < 3; round++) {
      for (const key of kept.splice(0, 20)) await store.delete(key, store.get(key)!.revision, sample("gone"));
      await store.compact(store.revision);
    }
    expect(await store.probe(), "asking finds the room by itself").toBeUndefined();
    expect(await store.create(`${prefix}shop/late`, big("late"))).toMatchObject({ ok: true });
    const again = await reopen(store, options);
    expect(keysOf(again)).toEqual([...kept, `${prefix}shop/late`].toSorted());
  });
}

test("when somebody else fills the disk and clears it again, writes stop and go on without a restart", async () => {
  const disk = smallDisk(newDirectory(), 2 << 20);
  disks.push(disk);
  const { directory, maxBytes } = disk;
  const store = await open({ ...testOptions(directory), ...(maxBytes === undefined ? {} : { maxBytes }) });
  await store.create(`${prefix}shop/first`, big("first"));
  if (disk.method === "quota") {
    // No disk to fill here: the quota test above shows the way back.
    expect((await fillUp(store)).length).toBeGreaterThan(50);
    return;
  }
  const stranger = join(directory, "..", "stranger");
  expect(() => writeFileSync(stranger, Buffer.alloc(4 << 20, 1))).toThrow("ENOSPC");
  const kept = await fillUp(store);
  expect(await store.create(`${prefix}shop/late`, big("late"))).toMatchObject({ why: "noSpace" });
  rmSync(stranger);
  expect(await store.create(`${prefix}shop/late`, big("late"))).toMatchObject({ ok: true });
  expect(store.count(prefix)).toBe(kept.length + 2);
});

/** Creates until there is no more room; returns the keys of what was acknowledged. */
async function fillUp(store: Store<Sample>): Promise<string[]> {
  const kept: string[] = [];
  for (let index = 0; index < 5_000; index++) {
    const key = `${prefix}shop/d${index}`;
    const result = await store.create(key, big(`v${index}`));
    if (!result.ok) {
      expect(result.why).toBe("noSpace");
      expect(store.get(key)).toBeUndefined();
      return kept;
    }
    kept.push(key);
  }
  return expect.fail("the disk did not fill up");
}

function big(text: string) {
  return sample(`${text} ${"x".repeat(2_000)}`);
}

function keysOf(store: Store<Sample>): string[] {
  const list = store.list({ prefix });
  return list.ok ? list.entries.map((entry) => entry.key) : [];
}

async function open(options: SqliteStoreOptions<Sample>): Promise<Store<Sample>> {
  const store = await openSqliteStore(options);
  opened.push(store);
  return store;
}

async function reopen(store: Store<Sample>, options: SqliteStoreOptions<Sample>): Promise<Store<Sample>> {
  await store[Symbol.asyncDispose]();
  return open(options);
}
