import { expect, test } from "vitest";
import type { JsonObject } from "#base/json.ts";
import { DiscoveryReader } from "./discovery.ts";

const verbs = ["get", "list", "watch"];
const { signal } = new AbortController();

/** A server that answers with these documents, and what it was asked. */
function server(documents: Readonly<Record<string, JsonObject>>, etag?: string) {
  const asked: string[] = [];
  return {
    asked,
    async document(path: string, { ifNoneMatch }: { readonly ifNoneMatch?: string | undefined } = {}) {
      asked.push(path);
      if (etag !== undefined && ifNoneMatch === etag) return undefined;
      const value = documents[path];
      if (value === undefined) throw new Error(`nothing at ${path}`);
      return { etag, value };
    },
  };
}

const aggregated = (group: string, resources: readonly JsonObject[]): JsonObject => ({
  kind: "APIGroupDiscoveryList",
  items: [{ metadata: { name: group }, versions: [{ version: "v1", resources }] }],
});
const pods = { resource: "pods", responseKind: { kind: "Pod" }, scope: "Namespaced", verbs };
const nodes = { resource: "nodes", responseKind: { kind: "Node" }, scope: "Cluster", verbs };
const reviews = {
  resource: "tokenreviews",
  responseKind: { kind: "TokenReview" },
  scope: "Cluster",
  verbs: ["create"],
};

test("reads the aggregated form, and asks no more when nothing changed", async () => {
  const source = server(
    { "/api": aggregated("", [pods, nodes]), "/apis": aggregated("authentication.k8s.io", [reviews]) },
    "e1",
  );
  const reader = new DiscoveryReader(source);
  const expected = [
    { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true },
    { group: "", version: "v1", resource: "nodes", kind: "Node", namespaced: false },
  ];
  expect(await reader.resources(signal)).toEqual(expected);
  expect(await reader.resources(signal)).toEqual(expected);
  expect(source.asked).toEqual(["/api", "/apis", "/api", "/apis"]);
});

const legacy = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/api/v1": {
    kind: "APIResourceList",
    resources: [
      { name: "pods", kind: "Pod", namespaced: true, verbs },
      { name: "pods/log", kind: "Pod", namespaced: true, verbs },
    ],
  },
  "/apis": { kind: "APIGroupList", groups: [{ name: "apps", versions: [{ groupVersion: "apps/v1", version: "v1" }] }] },
  "/apis/apps/v1": {
    kind: "APIResourceList",
    resources: [{ name: "deployments", kind: "Deployment", namespaced: true, verbs }],
  },
};

test("falls back to asking version by version", async () => {
  expect(await new DiscoveryReader(server(legacy)).resources(signal)).toEqual([
    { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true },
    { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", namespaced: true },
  ]);
});

test("goes nowhere that a server's names would lead it", async () => {
  const names = ["..", "a/../../secrets", "a?b", "a#b", "A", "", "a%2f"];
  const groups = names.map((name) => ({ name, versions: [{ version: "v1" }, { version: name }] }));
  const source = server({ "/api": { versions: names }, "/apis": { groups } });
  expect(await new DiscoveryReader(source).resources(signal)).toEqual([]);
  expect(source.asked).toEqual(["/api", "/apis"]);
});

test("throws when the server cannot tell, or tells too much", async () => {
  await expect(new DiscoveryReader(server({ "/api": legacy["/api"] })).resources(signal)).rejects.toThrow("nothing at");
  const many = aggregated(
    "",
    Array.from({ length: 20_001 }, () => pods),
  );
  await expect(new DiscoveryReader(server({ "/api": many, "/apis": many })).resources(signal)).rejects.toThrow(
    "more than",
  );
});
