import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";
import { masked, maskedText, readRecordings } from "./recorded-answers.ts";

const recorded = readRecordings();

const cms = "/api/v1/namespaces/default/configmaps";
const put = (body: object): HttpCall => ({ method: "PUT", body: JSON.stringify(body) });
const post = (body: object | string, headers: Record<string, string> = {}): HttpCall => ({
  method: "POST",
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers,
});
const cm = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { x: "y" },
  ...more,
});
const ssa = (body: object): HttpCall => ({
  method: "PATCH",
  body: JSON.stringify(body),
  headers: { "content-type": "application/apply-patch+yaml" },
});

/** Clears the managed fields, as the recorded object had none. */
const withoutManagers: HttpCall = {
  method: "PATCH",
  body: '{"metadata":{"managedFields":[{}]}}',
  headers: { "content-type": "application/merge-patch+json" },
};

/** The same requests, in the order in which they were made. */
const requests: Readonly<Record<string, readonly [path: string, call?: HttpCall]>> = {
  "GET missing": [`${cms}/nope`],
  "POST create": [
    cms,
    post(
      { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "g-" }, data: { a: "b" } },
      { "user-agent": "curl/8" },
    ),
  ],
  "POST dup": [cms, post(cm("fx"))],
  "PUT stale rv": [`${cms}/fx`, put(cm("fx", { metadata: { name: "fx", resourceVersion: "1" } }))],
  "PUT no rv (unconditional)": [`${cms}/fx`, put(cm("fx"))],
  "PUT wrong name": [`${cms}/fx`, put(cm("fy"))],
  "PUT wrong ns": [`${cms}/fx`, put(cm("fx", { metadata: { name: "fx", namespace: "other" } }))],
  "PUT missing (no create on update)": [`${cms}/fz`, put(cm("fz"))],
  "bad name": [cms, post(cm("Bad_Name"))],
  "missing namespace": ["/api/v1/namespaces/nons/configmaps", post(cm("a"))],
  "wrong kind": [cms, post({ apiVersion: "v1", kind: "Secret", metadata: { name: "s" } })],
  "wrong type": [cms, post({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "s" }, data: { a: 1 } })],
  "strict unknown+dup": [
    `${cms}?fieldValidation=Strict`,
    post('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"st","foo":1},"data":{"a":"b","a":"c"},"zz":1}'),
  ],
  "415": [cms, post("x", { "content-type": "text/plain" })],
  "405": ["/api/v1/namespaces/default/configmaps/fx/", { method: "POST", body: "{}" }],
  "patch 415": [`${cms}/fx`, { method: "PATCH", body: "{}", headers: { "content-type": "application/json" } }],
  "unknown resource": ["/api/v1/namespaces/default/unknowns"],
  "403": ["/api/v1/namespaces/default/pods/x", { headers: { "impersonate-user": "alice" } }],
  "401": [cms, { token: "wrong" }],
  "list rv too large": [`${cms}?resourceVersion=99999999`],
  "list bad rv": [`${cms}?resourceVersion=abc`],
  "list limit=1": ["/api/v1/clusterroles?limit=1"],
  "list bad continue": [`${cms}?limit=1&continue=zzz`],
  "bad fieldSelector": [`${cms}?fieldSelector=data.a%3Db`],
  "watchlist without match": [`${cms}?watch=true&sendInitialEvents=true`],
  "list partial": [
    `${cms}?fieldSelector=metadata.name%3Dfx`,
    { headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" } },
  ],
  "table one": [`${cms}/fx`, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }],
  "delete dryrun": [`${cms}/fx?dryRun=All`, { method: "DELETE" }],
  "delete wrong uid": [`${cms}/fx`, { method: "DELETE", body: '{"preconditions":{"uid":"x"}}' }],
  delete: [`${cms}/fx`, { method: "DELETE" }],
  deletecollection: [`${cms}?labelSelector=nothing%3Dat-all`, { method: "DELETE" }],
  "delete ns default": ["/api/v1/namespaces/default", { method: "DELETE" }],
  "ssa no fieldManager": [`${cms}/fs`, ssa(cm("fs"))],
  "ssa create": [`${cms}/fs?fieldManager=a`, ssa({ apiVersion: "v1", kind: "ConfigMap", metadata: {}, data: {} })],
  "ssa conflict": [`${cms}/fs?fieldManager=b`, ssa({ apiVersion: "v1", kind: "ConfigMap", metadata: {}, data: {} })],
  whoami: [
    "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    post(
      { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      { "impersonate-user": "admin", "impersonate-uid": "admin-uid", "impersonate-group": "system:masters" },
    ),
  ],
  SSAR: [
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    post(
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: { verb: "get", resource: "pods" } },
      },
      { "user-agent": "curl/8" },
    ),
  ],
  "invalid crd": [
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    post({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "a.b" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "as", singular: "a", kind: "A", listKind: "AList" },
        versions: [{ name: "v1", served: true, storage: true }],
      },
    }),
  ],
};

/** Compared in tests of their own below. */
const otherwiseCompared = ["warn", "unknown path", "list limit=1 remaining", "watch table", "watch rv=1 (too old)"];

const watches: Readonly<Record<string, readonly [query: string, headers?: Record<string, string>]>> = {
  "watch rv=0": ["resourceVersion=0&allowWatchBookmarks=true"],
  "watch none": [""],
  "watch rv too large": ["resourceVersion=99999999"],
  watchlist: ["sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"],
  "watchlist no bookmarks": ["sendInitialEvents=true&resourceVersionMatch=NotOlderThan"],
  "watch partial": ["", { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" }],
};

describe("answers equal those of a real kube-apiserver", () => {
  let world: TestFleet;
  let cluster: EmbeddedCluster;

  beforeAll(async () => {
    world = await startTestFleet();
    cluster = world.fleet.controlPlane;
    await http(cluster, cms, post(cm("fx")));
    await http(cluster, `${cms}/fx`, withoutManagers);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  for (const [name, [path, call]] of Object.entries(requests)) {
    test(name, async () => {
      const expected = recorded.get(name);
      if (expected === undefined) throw new Error(`nothing is recorded under ${name}`);
      const { json, code } = await http(cluster, path, call);
      if (expected.body !== undefined) expect(masked(json)).toEqual(masked(expected.body));
      else expect(expected.text.trim(), "the body was not recorded").toBe("");
      if (expected.code !== undefined) expect(code).toBe(expected.code);
    });
  }

  test("warn", async () => {
    const body =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"warned","foo":1},"data":{"a":"b","a":"c"},"zz":1}';
    const { code, headers } = await http(cluster, `${cms}?fieldValidation=Warn`, post(body));
    expect(code).toBe(201);
    const expected = [...recorded.get("warn")!.text.matchAll(/^warning: (.*)$/gm)].map((match) => match[1]);
    expect(String(headers["warning"]).split(/, (?=299 - )/)).toEqual(expected);
  });

  test("unknown path", async () => {
    const { code, text } = await http(cluster, "/nowhere");
    const expected = recorded.get("unknown path")!;
    expect([code, text.trim()]).toEqual([expected.code, expected.text.trim()]);
  });

  test("list limit=1 remaining, as far as it was recorded", async () => {
    const { text } = await http(cluster, "/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=1&pretty=true");
    expect(maskedText(text)).toContain(maskedText(recorded.get("list limit=1 remaining")!.text.trimEnd()));
    const token = (body: string) => Buffer.from(/"continue": "([^"]*)"/.exec(body)![1]!, "base64url").toString();
    const withoutRevision = (body: string) => token(body).replace(/"rv":[0-9]+/, "");
    expect(withoutRevision(text)).toBe(withoutRevision(recorded.get("list limit=1 remaining")!.text));
  });

  test("the next page of a list is cut from the same state", async () => {
    const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=1";
    const { json } = await http(cluster, path);
    const next = await http(cluster, `${path}&continue=${json.metadata.continue}`);
    expect(next.json.items[0].metadata.name).toBe("cluster-admin");
    expect(next.json.metadata.resourceVersion).toBe(json.metadata.resourceVersion);
  });
});

/** Answers that differ on purpose: how, and the row of docs/compatibility.md that says why. */
const exceptions: Readonly<Record<string, string>> = {
  anonymous: "K5: 401 Unauthorized",
  "406": "K4: protobuf is not among the representations",
};

describe("answers that differ on purpose", () => {
  let world: TestFleet;
  beforeAll(async () => {
    world = await startTestFleet();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test("anonymous (K5)", async () => {
    const { json } = await http(world.fleet.controlPlane, "/api/v1/pods", { token: "none" });
    expect(json).toEqual(recorded.get("401")!.body);
  });

  test("406 (K4)", async () => {
    const { json } = await http(world.fleet.controlPlane, cms, { headers: { accept: "application/xml" } });
    const expected = JSON.stringify(recorded.get("406")!.body);
    expect(json).toEqual(
      JSON.parse(expected.replaceAll(/, application\/vnd\.kubernetes\.protobuf(;stream=watch)?/g, "")),
    );
  });

  test("every one is a row of docs/compatibility.md", () => {
    const rows = readFileSync(join(import.meta.dirname, "../../docs/compatibility.md"), "utf8");
    for (const why of Object.values(exceptions)) expect(rows).toContain(`| ${why.split(":")[0]} |`);
  });
});

test("everything that was recorded is compared", () => {
  const compared = new Set([...Object.keys(requests), ...Object.keys(watches), ...otherwiseCompared]);
  expect([...recorded.keys()].filter((name) => !compared.has(name)).toSorted()).toEqual(
    Object.keys(exceptions).toSorted(),
  );
  expect([...compared].filter((name) => !recorded.has(name))).toEqual([]);
});

describe("watches equal those of a real kube-apiserver", () => {
  let world: TestFleet;
  let cluster: EmbeddedCluster;
  const watch = (query: string, headers: Record<string, string> = {}) =>
    http(cluster, `${cms}?watch=true&fieldSelector=metadata.name%3Dfx&${query}`, { forMs: 300, headers });
  const lines = (text: string) =>
    text
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("{")) // no headers, no status
      .map((line) => JSON.parse(line));

  beforeAll(async () => {
    world = await startTestFleet();
    cluster = world.fleet.controlPlane;
    await http(cluster, cms, post(cm("fx")));
    await http(cluster, `${cms}/fx`, withoutManagers);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  for (const [name, [query, headers]] of Object.entries(watches)) {
    test(name, async () => {
      const { text, code } = await watch(query, headers);
      expect(code).toBe(200);
      expect(lines(text).map(masked)).toEqual(lines(recorded.get(name)!.text).map(masked));
    });
  }

  test("watch table, as far as it was recorded", async () => {
    await http(cluster, cms, post(cm("a")));
    const first = { ...cm("g-"), metadata: { generateName: "g-" }, data: { a: "b" } };
    await http(cluster, cms, post(first, { "user-agent": "curl/8" }));
    const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
    const { text } = await http(cluster, `${cms}?watch=true`, { headers: { accept }, forMs: 300 });
    const ours = text.trim().split("\n").map(maskedText);
    const theirs = recorded.get("watch table")!.text.trim().split("\n").map(maskedText);
    expect(theirs.pop(), "an object whose owners tell of writes that nobody recorded").toContain('"name":"test-cm"');
    expect(ours).toHaveLength(theirs.length);
    for (const [index, line] of theirs.entries()) expect(ours[index]!.slice(0, line.length)).toBe(line);
  });

  test("watch rv=1 (too old)", async () => {
    await cluster.server.core.store.compact(cluster.server.core.store.revision);
    const { text, code } = await watch("resourceVersion=1");
    expect(code).toBe(200);
    expect(lines(text).map(masked)).toEqual(lines(recorded.get("watch rv=1 (too old)")!.text).map(masked));
  });
});
