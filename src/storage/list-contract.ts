import { expect, test } from "vitest";
import { all, api, config, keysOf, type OpenStore, other, pagesOf, sample, web } from "./contract-sample.ts";

/** What every variant promises about lists. */
export function listContract(open: OpenStore): void {
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
