import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WatchEvent, WatchSource } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "./client.ts";

/** A server with a namespace `default`, and a client of it that may do everything there. */
export interface ContractWorld extends AsyncDisposable {
  readonly client: Client;
  /** One that may do nothing. */
  readonly stranger: Client;
  /** Forgets all history, so that old revisions are gone. */
  forget(): void | Promise<void>;
}

const configMaps: ResourceId = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};
const quotas: ResourceId = { ...configMaps, resource: "resourcequotas", kind: "ResourceQuota" };
const nothing: ResourceId = {
  group: "example.com",
  version: "v1",
  resource: "things",
  kind: "Thing",
  namespaced: true,
};
const namespace = "default";

/** What every way to an API server must do alike, so that no controller can tell which one it has. */
export function describeClientContract(transport: string, open: () => Promise<ContractWorld>): void {
  describe(`a client ${transport}`, () => {
    let world: ContractWorld;
    let client: Client;
    beforeAll(async () => {
      world = await open();
      client = world.client;
    });
    afterAll(() => world?.[Symbol.asyncDispose]());
    describeObjects(() => client);
    describeRefusals(() => world);
    describeLists(() => client);
    describeWatches(() => world);
  });
}

function describeObjects(of: () => Client): void {
  test("creates, and reads the same back", async () => {
    const created = await of().create(configMaps, configMap("made", { a: "1", __proto: "ü\u2028" }));
    expect(created.metadata).toMatchObject({ name: "made", namespace, uid: expect.any(String) });
    expect(await of().get(configMaps, { namespace, name: "made" })).toEqual(created);
  });

  test("says undefined for what is not there", async () => {
    expect(await of().get(configMaps, { namespace, name: "absent" })).toBeUndefined();
  });

  test("updates at the revision that was read", async () => {
    const created = await of().create(configMaps, configMap("updated"));
    const updated = await of().update(configMaps, { ...created, data: { a: "2" } } as ApiObject);
    expect([updated["data"], updated.metadata.uid]).toEqual([{ a: "2" }, created.metadata.uid]);
    await expect(of().update(configMaps, { ...created, data: {} } as ApiObject)).rejects.toMatchObject({
      reason: "Conflict",
      code: 409,
    });
  });

  test("updates a status without touching the rest", async () => {
    const created = await of().create(quotas, quota("with-status"));
    const changed = { ...created, spec: { hard: { pods: "9" } }, status: { used: { pods: "0" } } };
    const updated = await of().updateStatus(quotas, changed as unknown as ApiObject); // of that kind
    expect(updated).toMatchObject({ spec: { hard: { pods: "1" } }, status: { used: { pods: "0" } } });
  });

  test("patches in every way", async () => {
    const key = { namespace, name: "patched" };
    await of().create(configMaps, configMap("patched", { a: "1" }));
    await of().patch(configMaps, key, { type: "merge", patch: { data: { b: "2" } } });
    await of().patch(configMaps, key, { type: "json", patch: [{ op: "add", path: "/data/c", value: "3" }] });
    await of().patch(configMaps, key, { type: "strategic", patch: { data: { d: "4" } } });
    const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: { e: "5" } };
    const last = await of().patch(configMaps, key, { type: "apply", patch: applied, force: true });
    expect(last["data"]).toEqual({ a: "1", b: "2", c: "3", d: "4", e: "5" });
  });

  test("deletes what is there, and says so when it was gone already", async () => {
    const { metadata } = await of().create(configMaps, configMap("deleted"));
    const key = { namespace, name: "deleted" };
    await expect(of().delete(configMaps, key, { preconditions: { uid: "another" } })).rejects.toMatchObject({
      reason: "Conflict",
    });
    expect(await of().delete(configMaps, key, { preconditions: { uid: metadata.uid } })).toBe(true);
    expect(await of().delete(configMaps, key)).toBe(false);
  });

  test("posts to a subresource", async () => {
    const accounts = { ...configMaps, resource: "serviceaccounts", kind: "ServiceAccount" };
    await of().create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name: "robot" } });
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
    const answer = await of().post(
      accounts,
      { namespace, name: "robot" },
      { verb: "create", subresource: "token", body },
    );
    expect(answer).toMatchObject({ kind: "TokenRequest", status: { token: expect.any(String) } });
  });
}

function describeRefusals(of: () => ContractWorld): void {
  const refusals: readonly [string, () => Promise<unknown>, object][] = [
    [
      "an object that is there",
      async () => {
        await of().client.create(configMaps, configMap("twice"));
        await of().client.create(configMaps, configMap("twice"));
      },
      { reason: "AlreadyExists", code: 409, details: { name: "twice", kind: "configmaps" } },
    ],
    [
      "an object that is wrong",
      () => of().client.create(configMaps, configMap("Not A Name")),
      { reason: "Invalid", code: 422, details: { causes: [{ field: "metadata.name" }] } },
    ],
    ["a resource that is not served", () => of().client.list(nothing), { code: 404 }], // kube-apiserver gives no reason
    [
      "a patch of what is not there",
      () => of().client.patch(configMaps, { namespace, name: "absent" }, { type: "merge", patch: {} }),
      { reason: "NotFound", code: 404 },
    ],
    ["a stranger", () => of().stranger.list(configMaps), { reason: "Forbidden", code: 403 }],
    ["a stranger's watch", () => of().stranger.watch(configMaps), { reason: "Forbidden", code: 403 }],
  ];
  for (const [what, call, error] of refusals) {
    test(`is refused ${what}, by reason`, async () => {
      await expect(call()).rejects.toMatchObject({ name: "StatusError", ...error });
    });
  }
}

function describeLists(of: () => Client): void {
  const labelSelector = "list=yes";

  test("lists by selector, whole and in pages", async () => {
    for (const name of ["l1", "l2", "l3"]) await of().create(configMaps, configMap(name, {}, { list: "yes" }));
    const whole = await of().list(configMaps, { namespace, labelSelector });
    expect(whole.items.map(({ metadata }) => metadata.name)).toEqual(["l1", "l2", "l3"]);
    expect(whole.items[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    const first = await of().list(configMaps, { namespace, labelSelector, limit: 2 });
    expect(first.items.map(({ metadata }) => metadata.name)).toEqual(["l1", "l2"]);
    const last = await of().list(configMaps, { namespace, labelSelector, limit: 2, continue: first.continue ?? "" });
    expect([last.items.map(({ metadata }) => metadata.name), last.continue]).toEqual([["l3"], undefined]);
  });

  test("lists more than a page holds, whole", async () => {
    const names = Array.from({ length: 501 }, (_, index) => `many-${String(index).padStart(3, "0")}`);
    for (const name of names) await of().create(configMaps, configMap(name, {}, { list: "many" }));
    const { items } = await of().list(configMaps, { labelSelector: "list=many" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
  });
}

function describeWatches(of: () => ContractWorld): void {
  test("watches: the present state, its end, then what happens", async () => {
    const labelSelector = "watch=one";
    const { client } = of();
    await client.create(configMaps, configMap("w1", {}, { watch: "one" }));
    const begin = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: true };
    const seen = record(await client.watch(configMaps, { namespace, labelSelector, ...begin }));
    await seen.until((events) => events.some((event) => event.type === "BOOKMARK"));
    await client.patch(configMaps, { namespace, name: "w1" }, { type: "merge", patch: { data: { a: "1" } } });
    await client.delete(configMaps, { namespace, name: "w1" });
    await seen.until((events) => events.some((event) => event.type === "DELETED"));
    seen.stop();
    expect(seen.events.map(({ type }) => type)).toEqual(["ADDED", "BOOKMARK", "MODIFIED", "DELETED"]);
    expect(seen.events[1]).toMatchObject({ initialEventsEnd: true, resourceVersion: expect.any(String) });
    expect(seen.events[2]).toMatchObject({ object: { apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } } });
  });

  test("resumes a watch after a revision, and misses nothing", async () => {
    const labelSelector = "watch=resumed";
    const { client } = of();
    const { metadata } = await client.create(configMaps, configMap("w2", {}, { watch: "resumed" }));
    await client.create(configMaps, configMap("w3", {}, { watch: "resumed" }));
    const seen = record(
      await client.watch(configMaps, { namespace, labelSelector, resourceVersion: metadata.resourceVersion }),
    );
    await seen.until((events) => events.length > 0);
    seen.stop();
    expect(seen.events).toMatchObject([{ type: "ADDED", object: { metadata: { name: "w3" } } }]);
  });

  test("says that a revision is gone, as a refusal or as an event", async () => {
    const { client } = of();
    const { metadata } = await client.create(configMaps, configMap("w4"));
    await client.create(configMaps, configMap("w5"));
    await of().forget();
    const codes: unknown[] = [];
    try {
      const seen = record(await client.watch(configMaps, { resourceVersion: metadata.resourceVersion }));
      await seen.until((events) => events.length > 0);
      seen.stop();
      codes.push(...seen.events.map((event) => event.type === "ERROR" && event.status["code"]));
    } catch (error: unknown) {
      codes.push((error as { readonly code: unknown }).code); // looked at below
    }
    expect(codes).toEqual([410]);
  });

  test("ends a watch when its time is over", async () => {
    const seen = record(await of().client.watch(configMaps, { timeoutSeconds: 1 }));
    await seen.ended;
    expect(seen.events.filter(({ type }) => type === "ERROR")).toEqual([]);
  });

  test("brings nothing more once it is stopped", async () => {
    const { client } = of();
    const seen = record(await client.watch(configMaps, { labelSelector: "watch=stopped" }));
    seen.stop();
    await client.create(configMaps, configMap("w6", {}, { watch: "stopped" }));
    expect(seen.events).toEqual([]);
  });
}

function record(source: WatchSource) {
  const events: WatchEvent[] = [];
  const waiting: (() => void)[] = [];
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stop = source.start({
    event(event) {
      events.push(event);
      for (const look of waiting) look();
    },
    end: () => finish(),
  });
  const until = (isGood: (events: readonly WatchEvent[]) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => isGood(events) && resolve();
      waiting.push(look);
      look();
    });
  return { events, ended, stop, until };
}

function configMap(name: string, data: object = {}, labels: Readonly<Record<string, string>> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, labels }, data };
}

function quota(name: string) {
  return { apiVersion: "v1", kind: "ResourceQuota", metadata: { namespace, name }, spec: { hard: { pods: "1" } } };
}
