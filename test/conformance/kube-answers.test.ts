import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";

/** What a real kube-apiserver 1.36 answered, by the name under which it was recorded. */
const recorded = readRecordings(readFileSync(join(import.meta.dirname, "fixtures", "kube-answers.txt"), "utf8"));

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
  "401": [cms, { token: "wrong" }],
  "list rv too large": [`${cms}?resourceVersion=99999999`],
  "list bad rv": [`${cms}?resourceVersion=abc`],
  "bad fieldSelector": [`${cms}?fieldSelector=data.a%3Db`],
  "watchlist without match": [`${cms}?watch=true&sendInitialEvents=true`],
  "list partial": [
    `${cms}?fieldSelector=metadata.name%3Dfx`,
    { headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" } },
  ],
  "delete dryrun": [`${cms}/fx?dryRun=All`, { method: "DELETE" }],
  "delete wrong uid": [`${cms}/fx`, { method: "DELETE", body: '{"preconditions":{"uid":"x"}}' }],
  delete: [`${cms}/fx`, { method: "DELETE" }],
  "delete ns default": ["/api/v1/namespaces/default", { method: "DELETE" }],
  "ssa no fieldManager": [`${cms}/fs`, ssa(cm("fs"))],
  "ssa create": [`${cms}/fs?fieldManager=a`, ssa({ apiVersion: "v1", kind: "ConfigMap", metadata: {}, data: {} })],
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
      expect(masked(json)).toEqual(masked(expected.body));
      if (expected.code !== undefined) expect(code).toBe(expected.code);
    });
  }

  test("PUT without a resourceVersion is unconditional for ConfigMaps", async () => {
    await http(cluster, cms, post(cm("uncond")));
    expect((await http(cluster, `${cms}/uncond`, put(cm("uncond")))).code).toBe(200);
  });

  test("warn: one Warning header for each complaint", async () => {
    const body =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"warned","foo":1},"data":{"a":"b","a":"c"},"zz":1}';
    const { code, headers } = await http(cluster, `${cms}?fieldValidation=Warn`, post(body));
    expect(code).toBe(201);
    const expected = [...recorded.get("warn")!.text.matchAll(/^warning: (.*)$/gm)].map((match) => match[1]);
    expect(
      String(headers["warning"])
        .split(", 299")
        .join("\n299")
        .split("\n")
        .map((line) => line.replace(/^299/, "299")),
    ).toEqual(expected);
  });

  test("an unknown path is plain text", async () => {
    const { code, text } = await http(cluster, "/nowhere");
    expect([code, text]).toEqual([404, "404 page not found\n"]);
  });

  test("403 and 406", async () => {
    const forbidden = await http(cluster, "/api/v1/namespaces/default/pods/x", {
      headers: { "impersonate-user": "alice" },
    });
    expect(forbidden.json).toEqual(recorded.get("403")!.body);
    const { code, json } = await http(cluster, cms, { headers: { accept: "application/xml" } });
    expect([code, json.reason]).toEqual([406, "NotAcceptable"]);
  });

  test("limits: one item, the rest behind a continue token", async () => {
    const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=1";
    const { json } = await http(cluster, path);
    expect(json.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["admin"]);
    expect(json.items[0].kind, "items of a typed list carry no kind").toBeUndefined();
    expect(json.metadata.remainingItemCount).toBeGreaterThan(3);
    const next = await http(cluster, `${path}&continue=${json.metadata.continue}`);
    expect(next.json.items[0].metadata.name).toBe("cluster-admin");
    expect(next.json.metadata.resourceVersion).toBe(json.metadata.resourceVersion);
    const bad = await http(cluster, `${path}&continue=xyz`);
    expect(bad.json).toMatchObject({
      reason: "BadRequest",
      code: 400,
      message: expect.stringContaining("continue key is not valid"),
    });
  });
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
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));

  beforeAll(async () => {
    world = await startTestFleet();
    cluster = world.fleet.controlPlane;
    await http(cluster, cms, post(cm("fx")));
    await http(cluster, `${cms}/fx`, withoutManagers);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  for (const [name, query] of [
    ["watch rv=0", "resourceVersion=0&allowWatchBookmarks=true"],
    ["watch none", ""],
    ["watchlist", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"],
    ["watchlist no bookmarks", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"],
  ] as const) {
    test(name, async () => {
      const { text, code } = await watch(query);
      const expected = lines(
        recorded
          .get(name)!
          .text.split("\n")
          .filter((line) => line.startsWith("{"))
          .join("\n"),
      );
      expect(code).toBe(200);
      expect(lines(text).map(masked)).toEqual(expected.map(masked));
    });
  }

  test("watch partial", async () => {
    const { text } = await watch("", { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" });
    expect(lines(text).map(masked)).toEqual(lines(recorded.get("watch partial")!.text).map(masked));
  });

  test("a future revision just waits", async () => {
    expect(await watch("resourceVersion=99999999")).toMatchObject({ code: 200, text: "" });
  });
});

function masked(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member) => {
    if (key === "uid" || key === "creationTimestamp" || key === "time" || key === "resourceVersion")
      return typeof member === "string" ? `<${key}>` : member;
    if (key === "name" && typeof member === "string" && /^g-[a-z0-9]{5}$/.test(member)) return "g-<suffix>";
    return member;
  });
  if (text === undefined) return undefined;
  return JSON.parse(
    text.replaceAll(/UID in record \([^)]*\)/g, "UID in record (<uid>)").replaceAll(/current: [0-9]+/g, "current: <n>"),
  );
}

interface Recording {
  readonly text: string;
  readonly body: unknown;
  readonly code: number | undefined;
}

function readRecordings(text: string): ReadonlyMap<string, Recording> {
  const entries = text
    .split(/^## /m)
    .slice(1)
    .map((block): [string, Recording] => {
      const [name, ...rest] = block.split("\n");
      const code = rest.findLast((line) => /^[0-9]{3}$/.test(line));
      const bodyText = rest.filter((line) => !/^[0-9]{3}$/.test(line)).join("\n");
      let body: unknown;
      try {
        body = JSON.parse(bodyText);
      } catch {
        body = undefined; // a stream, headers, or a body that was cut
      }
      return [name!, { text: rest.join("\n"), body, code: code === undefined ? undefined : Number(code) }];
    });
  return new Map(entries.filter(([name], index) => entries.findIndex(([each]) => each === name) === index));
}
