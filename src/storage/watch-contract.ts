import { expect, test } from "vitest";
import { all, api, config, keysOf, type OpenStore, other, sample, watchInto, web } from "./contract-sample.ts";

/** What every variant promises about watches. */
export function watchContract(open: OpenStore): void {
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

/** What every variant promises about history that is no longer kept. */
export function compactionContract(open: OpenStore): void {
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
