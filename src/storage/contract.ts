import { afterEach, describe, expect, test } from "vitest";
import type { Build, ListRequest, Store, StoreEvent, WatchRequest } from "./store.ts";

/** The value that the suites store: it carries its revision, as Kubernetes objects do. */
export interface Sample {
  readonly revision: number;
  readonly text: string;
}

/** A variant of the store, as the suites open it: empty, and closed by them. */
export interface StoreVariant {
  open(options?: { readonly historyLimit?: number }): Promise<Store<Sample>>;
  /** Closes a store and opens it again from what it left; absent where nothing is left. */
  readonly reopen?: (store: Store<Sample>) => Promise<Store<Sample>>;
}

const web = "apps/deployments/shop/web";
const api = "apps/deployments/shop/api";
const other = "apps/deployments/zoo/web";
const config = "/configmaps/shop/settings";
const all = "apps/deployments/";

/** What every variant of the store promises. */
export function storageContract(name: string, variant: StoreVariant): void {
  const opened: Store<Sample>[] = [];
  const open = async (options?: { readonly historyLimit?: number }) => {
    const store = await variant.open(options);
    opened.push(store);
    return store;
  };
  afterEach(async () => {
    for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
  });

  describe(`${name}: writes`, () => writeContract(open));
  describe(`${name}: lists`, () => listContract(open));
  describe(`${name}: watches`, () => watchContract(open));
  describe(`${name}: forgotten history`, () => compactionContract(open));
  describe(`${name}: many at once`, () => concurrencyContract(open));
}

type Open = (options?: { readonly historyLimit?: number }) => Promise<Store<Sample>>;

function writeContract(open: Open): void {
  test("the first revision is 1 and stands inside the value", async () => {
    const store = await open();
    expect(store.revision).toBe(0);
    const result = await store.create(web, sample("one"));
    const entry = { key: web, value: { revision: 1, text: "one" }, revision: 1, createRevision: 1 };
    expect(result).toEqual({ ok: true, entry });
    expect(store.get(web)).toEqual(entry);
    expect(store.revision).toBe(1);
  });

  test("a key that exists cannot be created; the answer shows what is there", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    const entry = store.get(web);
    expect(await store.create(web, sample("two"))).toEqual({ ok: false, why: "exists", entry });
    expect(store.revision).toBe(1);
  });

  test("an update replaces exactly the expected revision and keeps the creation's", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    expect(await store.update(web, 1, sample("two"))).toEqual({
      ok: true,
      entry: { key: web, value: { revision: 2, text: "two" }, revision: 2, createRevision: 1 },
    });
    expect(await store.update(web, 1, sample("three"))).toEqual({ ok: false, why: "conflict", entry: store.get(web) });
    expect(store.get(web)?.value.text).toBe("two");
  });

  test("what is not there can be neither updated nor deleted", async () => {
    const store = await open();
    expect(await store.update(web, 1, sample("x"))).toEqual({ ok: false, why: "missing" });
    expect(await store.delete(web, 1, sample("x"))).toEqual({ ok: false, why: "missing" });
  });

  test("a deletion takes a revision of its own and answers with the last state at it", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    expect(await store.delete(web, 7, sample("gone"))).toMatchObject({ ok: false, why: "conflict" });
    expect(await store.delete(web, 1, sample("gone"))).toEqual({
      ok: true,
      entry: { key: web, value: { revision: 2, text: "gone" }, revision: 2, createRevision: 1 },
    });
    expect(store.get(web)).toBeUndefined();
    expect(store.revision).toBe(2);
  });

  test("a key created again after its deletion has a new creation revision", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    await store.delete(web, 1, sample("gone"));
    expect(await store.create(web, sample("again"))).toMatchObject({ entry: { revision: 3, createRevision: 3 } });
  });

  test("a refused write calls no build and takes no revision", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    await store.create(web, () => expect.fail("build was called"));
    await store.update(web, 9, () => expect.fail("build was called"));
    expect(await store.create(api, sample("next"))).toMatchObject({ entry: { revision: 2 } });
  });

  test("a build that throws fails its own write alone", async () => {
    const store = await open();
    const failed = store.create(web, () => {
      throw new RangeError("no");
    });
    const fine = store.create(api, sample("fine"));
    await expect(failed).rejects.toThrow(RangeError);
    expect(await fine).toMatchObject({ ok: true, entry: { revision: 1 } });
    expect(await store.create(web, sample("now"))).toMatchObject({ ok: true, entry: { revision: 2 } });
  });

  test("counts are by prefix and by namespace", async () => {
    const store = await open();
    for (const key of [web, api, other, config]) await store.create(key, sample(key));
    await store.delete(api, 2, sample("gone"));
    const counts = ["apps/deployments", all, "apps/deployments/shop/", "/configmaps", "/secrets"].map((p) =>
      store.count(p),
    );
    expect(counts).toEqual([2, 2, 1, 1, 0]);
  });

  test("a closed store refuses writes and can be closed twice", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    await store[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    await expect(store.create(api, sample("late"))).rejects.toMatchObject({ name: "StoreFailure", why: "closed" });
  });

  test("closing waits for the writes that were already accepted", async () => {
    const store = await open();
    const accepted = store.create(web, sample("one"));
    await store[Symbol.asyncDispose]();
    expect(await accepted).toMatchObject({ ok: true });
  });
}

function listContract(open: Open): void {
  test("entries come in key order, of the prefix or the namespace or the one key asked for", async () => {
    const store = await open();
    for (const key of [web, other, api, config, "apps/deployments/shop-2/web", "apps/deploymentsx/shop/web"]) {
      await store.create(key, sample(key));
    }
    expect(keysOf(store, { prefix: all })).toEqual(["apps/deployments/shop-2/web", api, web, other]);
    expect(keysOf(store, { prefix: "apps/deployments" })).toEqual(["apps/deployments/shop-2/web", api, web, other]);
    expect(keysOf(store, { prefix: "apps/deployments/shop/" })).toEqual([api, web]);
    expect(keysOf(store, { prefix: web })).toEqual([web]);
    expect(keysOf(store, { prefix: "apps/deployments/shop/we" })).toEqual([]);
    expect(keysOf(store, { prefix: "/configmaps/" })).toEqual([config]);
    expect(keysOf(store, { prefix: "/secrets/" })).toEqual([]);
  });

  test("a list carries the store's revision, also when other prefixes made it", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    await store.create(config, sample("two"));
    expect(store.list({ prefix: all })).toEqual({ ok: true, entries: [store.get(web)], revision: 2, remaining: 0 });
    expect(store.list({ prefix: "/secrets/" })).toEqual({ ok: true, entries: [], revision: 2, remaining: 0 });
  });

  test("pages follow one another without gap or repetition and say how many remain", async () => {
    const store = await open();
    const keys = Array.from({ length: 7 }, (_, index) => `apps/deployments/shop/d${index}`);
    for (const key of keys.toReversed()) await store.create(key, sample(key));
    await store.create(other, sample("zoo"));
    expect(pagesOf(store, { prefix: "apps/deployments/shop/", limit: 3 })).toEqual({
      pages: [keys.slice(0, 3), keys.slice(3, 6), keys.slice(6)],
      remaining: [4, 1, 0],
    });
    expect(keysOf(store, { prefix: all, after: "apps/deployments/shop/d5" })).toEqual([keys[6], other]);
    expect(keysOf(store, { prefix: all, after: "apps/deployments/shop/d55" })).toEqual([keys[6], other]);
    expect(keysOf(store, { prefix: all, after: other })).toEqual([]);
    expect(keysOf(store, { prefix: all, limit: 0 })).toHaveLength(8);
  });

  test("pages at a revision stay as they were while others write", async () => {
    const store = await open();
    const keys = Array.from({ length: 5 }, (_, index) => `apps/deployments/shop/d${index}`);
    for (const key of keys) await store.create(key, sample("old"));
    const request = { prefix: all, at: store.revision, limit: 2 };
    await store.update(keys[2]!, 3, sample("new"));
    await store.delete(keys[3]!, 4, sample("gone"));
    await store.create("apps/deployments/shop/d1x", sample("new"));
    expect(pagesOf(store, request)).toEqual({
      pages: [keys.slice(0, 2), keys.slice(2, 4), keys.slice(4)],
      remaining: [3, 1, 0],
    });
    const page = store.list({ ...request, after: keys[1]! });
    expect(page.ok && page.entries.map((entry) => [entry.revision, entry.value.text])).toEqual([
      [3, "old"],
      [4, "old"],
    ]);
  });

  test("every older state can be listed as it was, and the future cannot", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    await store.update(web, 1, sample("two"));
    await store.delete(web, 2, sample("gone"));
    await store.create(web, sample("again"));
    const texts = [0, 1, 2, 3, 4].map((at) => {
      const list = store.list({ prefix: all, at });
      return list.ok ? [list.revision, ...list.entries.map((entry) => entry.value.text)] : list.why;
    });
    expect(texts).toEqual([[0], [1, "one"], [2, "two"], [3], [4, "again"]]);
    expect(store.list({ prefix: all, at: 5 })).toEqual({ ok: false, why: "future", revision: 4, oldest: 0 });
  });
}

function watchContract(open: Open): void {
  test("events come in revision order with the former value; a deletion carries its own revision", async () => {
    const store = await open();
    const { events } = watchInto(store, { prefix: all, after: 0 });
    await store.create(web, sample("one"));
    await store.update(web, 1, sample("two"));
    await store.delete(web, 2, sample("gone"));
    expect(
      events.map(({ type, key, revision, value, previous }) => ({ type, key, revision, value, previous })),
    ).toEqual([
      { type: "created", key: web, revision: 1, value: { revision: 1, text: "one" }, previous: undefined },
      {
        type: "updated",
        key: web,
        revision: 2,
        value: { revision: 2, text: "two" },
        previous: { revision: 1, text: "one" },
      },
      {
        type: "deleted",
        key: web,
        revision: 3,
        value: { revision: 3, text: "gone" },
        previous: { revision: 2, text: "two" },
      },
    ]);
  });

  test("a watch from any revision replays exactly what followed it, before it returns", async () => {
    const store = await open();
    for (let index = 0; index < 6; index++) await store.create(`apps/deployments/shop/d${index}`, sample("x"));
    for (let after = 0; after <= 7; after++) {
      const { events } = watchInto(store, { prefix: all, after });
      expect(events.map((event) => event.revision)).toEqual([1, 2, 3, 4, 5, 6].filter((revision) => revision > after));
    }
  });

  test("a watch gets what its prefix, namespace or key names, and nothing else", async () => {
    const store = await open();
    const scopes = [all, "apps/deployments/shop/", web, "/configmaps/"];
    const before = scopes.map((prefix) => watchInto(store, { prefix, after: 0 }));
    for (const key of [web, api, other, config, `${web}-2`]) await store.create(key, sample(key));
    const after = scopes.map((prefix) => watchInto(store, { prefix, after: 0 }));
    const expected = [[1, 2, 3, 5], [1, 2, 5], [1], [4]];
    expect(before.map(({ events }) => events.map((event) => event.revision))).toEqual(expected);
    expect(after.map(({ events }) => events.map((event) => event.revision))).toEqual(expected);
  });

  test("no event is lost between a list and the watch that follows it, whatever is under way", async () => {
    const store = await open();
    const writes = Array.from({ length: 50 }, (_, index) =>
      store.create(`apps/deployments/shop/d${index}`, sample("x")),
    );
    const watches: { seen: number[] }[] = [];
    for (const write of writes) {
      await write;
      const list = store.list({ prefix: all });
      const seen = list.ok ? list.entries.map((entry) => entry.revision) : [];
      store.watch({ prefix: all, after: list.revision, deliver: (event) => seen.push(event.revision) });
      watches.push({ seen });
    }
    const everything = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const { seen } of watches) expect(seen.toSorted((a, b) => a - b)).toEqual(everything);
  });

  test("what is delivered can already be read, and every write of the commit before its progress is told", async () => {
    const store = await open();
    const seen: string[] = [];
    store.watch({
      prefix: all,
      after: 0,
      deliver: ({ key, revision }) => seen.push(`${revision} readable ${store.get(key)?.revision === revision}`),
      progress: (revision) => seen.push(`progress ${revision} of ${store.revision}`),
    });
    await store.create(web, sample("one"));
    await store.create(config, sample("elsewhere"));
    expect(seen).toEqual(["1 readable true", "progress 1 of 1", "progress 2 of 2"]);
  });

  test("a watch that starts inside a delivery gets every event once", async () => {
    const store = await open();
    const inner: number[] = [];
    store.watch({
      prefix: all,
      after: 0,
      deliver: (event) => {
        if (event.revision !== 1) return;
        store.watch({ prefix: all, after: 0, deliver: ({ revision }) => inner.push(revision) });
      },
    });
    await Promise.all([web, api, other].map((key) => store.create(key, sample(key))));
    expect(inner).toEqual([1, 2, 3]);
  });

  test("a stopped watch gets nothing more, even when it is stopped inside a delivery", async () => {
    const store = await open();
    const seen: number[] = [];
    const watch = store.watch({
      prefix: all,
      after: 0,
      deliver: (event) => {
        seen.push(event.revision);
        if (watch.ok) watch.stop();
      },
    });
    await Promise.all([web, api].map((key) => store.create(key, sample(key))));
    await store.create(other, sample("x"));
    expect(seen).toEqual([1]);
  });

  test("a watch from the future gets only what comes after it", async () => {
    const store = await open();
    const { events } = watchInto(store, { prefix: all, after: 2 });
    for (const key of [web, api, other]) await store.create(key, sample(key));
    expect(events.map((event) => event.revision)).toEqual([3]);
  });
}

function compactionContract(open: Open): void {
  test("the boundary is exact: from the compacted revision on is served, from before it is not", async () => {
    const store = await open();
    for (let index = 0; index < 5; index++) await store.create(`apps/deployments/shop/d${index}`, sample("x"));
    await store.compact(3);
    const outcomes = [0, 2, 3, 4, 5].map((after) => {
      const { result, events } = watchInto(store, { prefix: all, after });
      return result.ok ? events.map((event) => event.revision) : result;
    });
    const compacted = { ok: false, why: "compacted", revision: 5, oldest: 3 };
    expect(outcomes).toEqual([compacted, compacted, [4, 5], [5], []]);
    expect([2, 3].map((at) => store.list({ prefix: all, at }))).toMatchObject([compacted, { ok: true, revision: 3 }]);
    expect(keysOf(store, { prefix: all })).toHaveLength(5);
  });

  test("an empty log serves a watch from the last revision without losing the next event", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    await store.compact(1);
    const { result, events } = watchInto(store, { prefix: all, after: 1 });
    await store.update(web, 1, sample("two"));
    expect(result.ok).toBe(true);
    expect(events.map((event) => event.revision)).toEqual([2]);
    expect(watchInto(store, { prefix: all, after: 0 }).result.ok).toBe(false);
  });

  test("a store that was never written serves a watch from 0, also after a compaction of nothing", async () => {
    const store = await open();
    await store.compact(0);
    await store.compact(10);
    const { result, events } = watchInto(store, { prefix: all, after: 0 });
    await store.create(web, sample("one"));
    expect([result.ok, events.length]).toEqual([true, 1]);
  });

  test("a prefix where nothing happened is never compacted, however much happened elsewhere", async () => {
    const store = await open({ historyLimit: 10 });
    await store.create(config, sample("quiet"));
    for (let index = 0; index < 30; index++) await store.create(`apps/deployments/shop/d${index}`, sample("x"));
    await store.compact(25);
    expect(watchInto(store, { prefix: "/configmaps/", after: 1 }).result.ok).toBe(true);
    expect(watchInto(store, { prefix: "/secrets/", after: 0 }).result.ok).toBe(true);
    expect(store.list({ prefix: "/configmaps/", at: 1 })).toMatchObject({ ok: true, entries: [{ revision: 1 }] });
    expect(watchInto(store, { prefix: "/configmaps/", after: 0 }).result).toMatchObject({
      why: "compacted",
      oldest: 1,
    });
    expect(watchInto(store, { prefix: all, after: 24 }).result.ok).toBe(false);
  });

  test("a bounded history turns away who is too far behind, and nobody else", async () => {
    const store = await open({ historyLimit: 3 });
    for (let index = 0; index < 10; index++) await store.create(`apps/deployments/shop/d${index}`, sample("x"));
    expect(watchInto(store, { prefix: all, after: 6 }).result).toMatchObject({ why: "compacted", oldest: 7 });
    expect(watchInto(store, { prefix: all, after: 7 }).events.map((event) => event.revision)).toEqual([8, 9, 10]);
  });

  test("compacting backwards changes nothing", async () => {
    const store = await open();
    for (let index = 0; index < 5; index++) await store.create(`apps/deployments/shop/d${index}`, sample("x"));
    await store.compact(4);
    await store.compact(2);
    expect(watchInto(store, { prefix: all, after: 3 }).result).toMatchObject({ why: "compacted", oldest: 4 });
  });
}

function concurrencyContract(open: Open): void {
  test("of many creates of one key exactly one wins, and the others see it", async () => {
    const store = await open();
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => store.create(web, sample(`${index}`))));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    for (const result of results) expect("entry" in result && result.entry).toBe(store.get(web));
  });

  test("increments by many writers through compare and swap lose nothing", async () => {
    const store = await open();
    await store.create(web, sample("0"));
    const increment = async () => {
      for (;;) {
        const entry = store.get(web);
        if (entry === undefined) throw new Error("the counter is gone");
        const result = await store.update(web, entry.revision, sample(String(Number(entry.value.text) + 1)));
        if (result.ok) return;
      }
    };
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 10; round++) await increment();
      }),
    );
    expect(store.get(web)?.value.text).toBe("80");
    expect(store.revision).toBe(81);
  });

  test("a delete and a create of the same key in one turn happen one after the other", async () => {
    const store = await open();
    await store.create(web, sample("one"));
    const { events } = watchInto(store, { prefix: all, after: 1 });
    const [deleted, conflicting] = await Promise.all([
      store.delete(web, 1, sample("gone")),
      store.update(web, 1, sample("late")),
    ]);
    expect([deleted, conflicting]).toMatchObject([{ ok: true }, { ok: false, why: "missing" }]);
    expect(await store.create(web, sample("again"))).toMatchObject({ ok: true, entry: { createRevision: 3 } });
    expect(events.map((event) => event.type)).toEqual(["deleted", "created"]);
  });

  test("revisions are given in the order of the calls and delivered in that order", async () => {
    const store = await open();
    const { events } = watchInto(store, { prefix: all, after: 0 });
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => store.create(`apps/deployments/shop/d${index}`, sample("x"))),
    );
    const inOrder = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(results.map((result) => result.ok && result.entry.revision)).toEqual(inOrder);
    expect(events.map((event) => event.revision)).toEqual(inOrder);
  });
}

/** Builds a value that says at which revision it was written. */
export function sample(text: string): Build<Sample> {
  return (revision) => ({ revision, text });
}

/** Watches into an array. */
export function watchInto(store: Store<Sample>, request: Pick<WatchRequest<Sample>, "prefix" | "after">) {
  const events: StoreEvent<Sample>[] = [];
  return { events, result: store.watch({ ...request, deliver: (event) => events.push(event) }) };
}

function keysOf(store: Store<Sample>, request: ListRequest): string[] {
  const list = store.list(request);
  return list.ok ? list.entries.map((entry) => entry.key) : [list.why];
}

/** Follows pages to the end. */
export function pagesOf(store: Store<Sample>, request: ListRequest) {
  const pages: string[][] = [];
  const remaining: number[] = [];
  for (let after: string | undefined; ; after = pages.at(-1)?.at(-1)) {
    const list = store.list(after === undefined ? request : { ...request, after });
    if (!list.ok) throw new Error(`cannot list: ${list.why}`);
    pages.push(list.entries.map((entry) => entry.key));
    remaining.push(list.remaining);
    if (list.remaining === 0) return { pages, remaining };
  }
}
