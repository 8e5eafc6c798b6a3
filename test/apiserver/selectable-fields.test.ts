import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "#base/json.ts";
import { openTestCluster, type TestCluster } from "#test/world/cluster.ts";

const definitions = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
};
const boxes = { group: "example.com", version: "v1", resource: "boxes", kind: "Box", namespaced: false };
const properties = { color: { type: "string" }, size: { type: "integer" }, on: { type: "boolean" } };

let world: TestCluster;
beforeEach(async () => {
  world = await openTestCluster();
  await world.client.create(definitions, definition([".spec.color", ".spec.size", ".spec.on"]));
  await box("red", { color: "red", size: 3, on: true });
  await box("blue", { color: "blue", size: 3 });
});
afterEach(() => world[Symbol.asyncDispose]());

const rows: Readonly<Record<string, readonly [selector: string, found: readonly string[]]>> = {
  "a text is compared": ["spec.color=red", ["red"]],
  "a number by its digits": ["spec.size=3", ["blue", "red"]],
  "a boolean by its word": ["spec.on=true", ["red"]],
  "what is missing is empty": ["spec.on=", ["blue"]],
  "what differs is found by its difference": ["spec.color!=red", ["blue"]],
  "with other fields": ["spec.size=3,metadata.name=red", ["red"]],
};
for (const [name, [fieldSelector, found]] of Object.entries(rows)) {
  test(`custom resources are selected by fields: ${name}`, async () => {
    const { items } = await world.client.list(boxes, { fieldSelector });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(found);
  });
}

test("a field that a definition does not name selects nothing", async () => {
  await expect(world.client.list(boxes, { fieldSelector: "spec.lid=a" })).rejects.toMatchObject({
    code: 400,
    message: "field label not supported: spec.lid",
  });
});

function definition(paths: readonly string[]) {
  const schema = { type: "object", properties: { spec: { type: "object", properties } } };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boxes.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "boxes", kind: "Box" },
      versions: [{ ...version, selectableFields: paths.map((jsonPath) => ({ jsonPath })) }],
    },
  };
}

function box(name: string, spec: JsonObject) {
  return world.client.create(boxes, { apiVersion: "example.com/v1", kind: "Box", metadata: { name }, spec });
}
