import { describe, expect, test } from "vitest";
import type { SchemaNode } from "#schema/schema-node.ts";
import { findDataDirectory } from "./data-directory.ts";
import { loadBuiltinCatalog } from "./load-schemas.ts";

const catalog = loadBuiltinCatalog(findDataDirectory());

function nodeAt(kind: string, ...path: string[]): SchemaNode {
  const row = catalog.resources.find((resource) => resource.kind === kind)!;
  let node = catalog.nodes.get(row.schema)!;
  for (const step of path) node = step === "[]" ? node.items! : node.properties![step]!;
  return node;
}

describe("linked nodes", () => {
  const lists: Record<string, { path: string[]; expected: Partial<SchemaNode> }> = {
    "containers merge by name": {
      path: ["spec", "containers"],
      expected: {
        "x-kubernetes-patch-merge-key": "name",
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
    },
    "a container port has two keys, the second with a default": {
      path: ["spec", "containers", "[]", "ports"],
      expected: { "x-kubernetes-list-map-keys": ["containerPort", "protocol"] },
    },
    "the default of a port's protocol": {
      path: ["spec", "containers", "[]", "ports", "[]", "protocol"],
      expected: { type: "string", default: "TCP" },
    },
    "a port number may be a name": {
      path: ["spec", "containers", "[]", "livenessProbe", "httpGet", "port"],
      expected: { "x-kubernetes-int-or-string": true },
    },
    "a limit is a quantity": {
      path: ["spec", "containers", "[]", "resources", "limits"],
      expected: { type: "object" },
    },
    "a node selector is replaced whole": {
      path: ["spec", "nodeSelector"],
      expected: { "x-kubernetes-map-type": "atomic" },
    },
  };
  test.each(Object.entries(lists))("%s", (_, { path, expected }) => {
    expect(nodeAt("Pod", ...path)).toMatchObject(expected);
  });

  test("zero defaults are gone, because Kubernetes never stores a field for them", () => {
    expect(nodeAt("Pod", "spec").default).toBeUndefined();
    expect(nodeAt("Pod", "spec", "containers", "[]", "name").default).toBeUndefined();
    expect(catalog.publishedSchemas["io.k8s.api.core.v1.Pod"]).toMatchObject({ properties: { spec: { default: {} } } });
  });

  test("a refined reference keeps its own description and the target's fields", () => {
    const spec = nodeAt("Pod", "spec");
    expect(spec.description).toContain("Specification of the desired behavior of the pod");
    expect(spec.properties).toHaveProperty("containers");
  });

  test("a schema that contains itself is a cycle of nodes", () => {
    const schema = catalog.nodes.get("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps")!;
    expect(schema.properties!["not"]!.properties).toBe(schema.properties);
  });

  test("raw extensions keep what is inside", () => {
    expect(nodeAt("ControllerRevision", "data")["x-kubernetes-preserve-unknown-fields"]).toBe(true);
  });

  test("no reference is left", () => {
    const seen = new Set<object>();
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null || seen.has(value)) return;
      seen.add(value);
      expect(typeof (value as { $ref?: unknown }).$ref).not.toBe("string");
      for (const child of Object.values(value)) visit(child);
    };
    for (const node of catalog.nodes.values()) visit(node);
    expect(seen.size).toBeGreaterThan(2000);
  });
});

describe("resources", () => {
  test("are those of the served group versions", () => {
    expect(catalog.resources.length).toBe(60);
    expect(new Set(catalog.resources.map((row) => row.group)).size).toBe(17);
  });

  test("carry what discovery shows", () => {
    expect(catalog.resources.find((row) => row.plural === "deployments")).toEqual({
      group: "apps",
      version: "v1",
      kind: "Deployment",
      plural: "deployments",
      singular: "deployment",
      shortNames: ["deploy"],
      categories: ["all"],
      namespaced: true,
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      schema: "io.k8s.api.apps.v1.Deployment",
      subresources: [
        { name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] },
        { name: "status", kind: "Deployment", group: "apps", version: "v1", verbs: ["get", "patch", "update"] },
      ],
    });
  });

  test("all have a schema with a kind mark", () => {
    for (const row of catalog.resources) {
      expect(catalog.publishedSchemas[row.schema]!["x-kubernetes-group-version-kind"]).toContainEqual({
        group: row.group,
        version: row.version,
        kind: row.kind,
      });
    }
  });
});
