import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallOptions, WatchEvent } from "#api/meta/api-call.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { type Client, createClient } from "#client/client.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { http } from "#test/world/http.ts";

const secrets = { group: "", version: "v1", resource: "secrets", kind: "Secret", namespaced: true };
const namespaces = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false };

let world: TestFleet;
let cluster: EmbeddedCluster;
let client: Client;

beforeAll(async () => {
  world = await startTestFleet();
  cluster = world.fleet.controlPlane;
  client = createClient({
    transport: cluster.server,
    user: { name: "tester", groups: ["system:masters"] },
    manager: "test",
  });
});
afterAll(() => world[Symbol.asyncDispose]());

/** A namespace of its own for each test, so that they do not see each other. */
async function newNamespace(name: string): Promise<string> {
  await client.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return name;
}
const put = (namespace: string, name: string, labels: Record<string, string> = {}) =>
  client.create(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, labels } });

async function follow(namespace: string, options: CallOptions = {}) {
  const events: WatchEvent[] = [];
  let ended = false;
  const source = await client.watch(secrets, { namespace, ...options });
  const stop = source.start({
    event: (event) => events.push(event),
    end: () => {
      ended = true;
    },
  });
  return { stop, ended: () => ended, lines: () => events.map(print) };
}

function print(event: WatchEvent): string {
  if (event.type === "ERROR") return `ERROR ${event.status["code"]} ${event.status["reason"]}`;
  if (event.type === "BOOKMARK") return event.initialEventsEnd ? "INITIAL END" : "BOOKMARK";
  return `${event.type} ${event.object.metadata.name}`;
}

describe("watch", () => {
  test("an object that starts and stops matching is added and deleted, with its new revision", async () => {
    const namespace = await newNamespace("selectors");
    const watch = await follow(namespace, { labelSelector: "colour=blue" });
    const object = await put(namespace, "a", { colour: "red" });
    const blue = await client.update(secrets, {
      ...object,
      metadata: { ...object.metadata, labels: { colour: "blue" } },
    });
    const again = await client.update(secrets, { ...blue, data: { x: "eQ==" } });
    await client.update(secrets, { ...again, metadata: { ...again.metadata, labels: {} } });
    expect(watch.lines()).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
    watch.stop();
  });

  test("a deletion carries the deletion's revision", async () => {
    const namespace = await newNamespace("deletions");
    const object = await put(namespace, "a");
    const revisions: number[] = [];
    const source = await client.watch(secrets, { namespace, resourceVersion: object.metadata.resourceVersion });
    const stop = source.start({
      event: (event) => "object" in event && revisions.push(Number(event.object.metadata.resourceVersion)),
      end: () => {},
    });
    await client.delete(secrets, { namespace, name: "a" });
    expect(revisions).toEqual([cluster.server.core.store.revision]);
    expect(revisions[0]).toBeGreaterThan(Number(object.metadata.resourceVersion));
    stop();
  });

  test("resumes from any kept revision without a gap, and never sees what is not in its namespace", async () => {
    const namespace = await newNamespace("resume");
    const elsewhere = await newNamespace("resume-elsewhere");
    const first = await put(namespace, "a");
    await put(elsewhere, "noise");
    await put(namespace, "b");
    await client.delete(secrets, { namespace, name: "a" });
    const watch = await follow(namespace, { resourceVersion: first.metadata.resourceVersion });
    expect(watch.lines()).toEqual(["ADDED b", "DELETED a"]);
    watch.stop();
  });

  test("initial events, then the mark, then what happens", async () => {
    const namespace = await newNamespace("initial");
    await put(namespace, "b");
    await put(namespace, "a");
    const watch = await follow(namespace, {
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: true,
    });
    await put(namespace, "c");
    expect(watch.lines()).toEqual(["ADDED a", "ADDED b", "INITIAL END", "ADDED c"]);
    watch.stop();
  });

  test("a revision that was compacted away is an ERROR event with 410, and the stream ends", async () => {
    const namespace = await newNamespace("compacted");
    const old = await put(namespace, "a");
    await put(namespace, "b");
    await client.delete(secrets, { namespace, name: "b" });
    const { store } = cluster.server.core;
    await store.compact(store.revision);
    const watch = await follow(namespace, { resourceVersion: old.metadata.resourceVersion });
    expect(watch.lines()).toEqual(["ERROR 410 Expired"]);
    expect(watch.ended()).toBe(true);
    const idle = await follow(namespace, { resourceVersion: String(store.revision) });
    expect([idle.lines(), idle.ended()]).toEqual([[], false]);
    idle.stop();
    const list = await http(
      cluster,
      `/api/v1/namespaces/${namespace}/secrets?resourceVersion=${old.metadata.resourceVersion}&resourceVersionMatch=Exact`,
    );
    expect([list.code, list.json.reason]).toEqual([410, "Expired"]);
  });

  test("ends by itself after timeoutSeconds, with a bookmark before", async () => {
    const namespace = await newNamespace("timeout");
    const { text } = await http(
      cluster,
      `/api/v1/namespaces/${namespace}/secrets?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=${cluster.server.core.store.revision}`,
    );
    expect(text).toMatch(
      /^\{"type":"BOOKMARK","object":\{"kind":"Secret","apiVersion":"v1","metadata":\{"resourceVersion":"\d+"\}\}\}\n$/,
    );
  });

  test("a table watch sends the columns once", async () => {
    const namespace = await newNamespace("tables");
    await put(namespace, "a");
    await put(namespace, "b");
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const { text } = await http(cluster, `/api/v1/namespaces/${namespace}/secrets?watch=true&timeoutSeconds=1`, {
      headers: { accept },
    });
    const tables = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).object);
    expect(tables.map(({ columnDefinitions }) => columnDefinitions?.length ?? null)).toEqual([4, null]);
    expect(tables.map(({ rows }) => rows[0].cells[0])).toEqual(["a", "b"]);
  });
});

describe("list", () => {
  test("pages cut from one snapshot do not see what happens between them", async () => {
    const namespace = await newNamespace("pages");
    for (const name of ["a", "b", "c", "d"]) await put(namespace, name);
    const first = await client.list(secrets, { namespace, limit: 2 });
    await client.delete(secrets, { namespace, name: "c" });
    await put(namespace, "bb");
    const second = await client.list(secrets, { namespace, limit: 2, continue: first.continue! });
    expect([...first.items, ...second.items].map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c", "d"]);
    expect([first.remainingItemCount, second.continue]).toEqual([2, undefined]);
    const { store } = cluster.server.core;
    await store.compact(store.revision);
    const expired = await http(cluster, `/api/v1/namespaces/${namespace}/secrets?limit=2&continue=${first.continue}`);
    expect([expired.code, expired.json.reason]).toEqual([410, "Expired"]);
    const rest = await client.list(secrets, { namespace, limit: 9, continue: expired.json.metadata.continue });
    expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["bb", "d"]);
  });

  test("with selectors a page is full of matches, and says nothing of how many remain", async () => {
    const namespace = await newNamespace("filtered");
    for (const name of ["a", "b", "c", "d", "e"]) await put(namespace, name, { parity: name < "c" ? "low" : "high" });
    const page = await client.list(secrets, { namespace, labelSelector: "parity=high", limit: 2 });
    expect(page.items.map(({ metadata }) => metadata.name)).toEqual(["c", "d"]);
    expect(page.remainingItemCount).toBeUndefined();
    const last = await client.list(secrets, {
      namespace,
      labelSelector: "parity=high",
      limit: 2,
      continue: page.continue!,
    });
    expect([last.items.map(({ metadata }) => metadata.name), last.continue]).toEqual([["e"], undefined]);
  });

  test("an exact revision shows the past", async () => {
    const namespace = await newNamespace("past");
    const object = await put(namespace, "a");
    await put(namespace, "b");
    const past = await client.list(secrets, {
      namespace,
      resourceVersion: object.metadata.resourceVersion,
      resourceVersionMatch: "Exact",
    });
    expect([past.items.map(({ metadata }) => metadata.name), past.resourceVersion]).toEqual([
      ["a"],
      object.metadata.resourceVersion,
    ]);
  });
});

test("objects handed out are shared: the store's, the list's and the watch's are one", async () => {
  const namespace = await newNamespace("shared");
  const created = await put(namespace, "a");
  const { items } = await client.list(secrets, { namespace });
  expect(items[0]).toBe(created);
  expect(await client.get(secrets, { namespace, name: "a" })).toBe(created);
});
