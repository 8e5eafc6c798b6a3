import { expect, test } from "vitest";
import { all, api, config, type OpenStore, other, sample, watchInto, web } from "./contract-sample.ts";

/** What every variant promises about single writes. */
export function writeContract(open: OpenStore): void {
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

/** What every variant promises about many writes at once. */
export function concurrencyContract(open: OpenStore): void {
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
