import { expect, test } from "vitest";
import { pruneUnknown } from "./prune-fields.ts";
import type { SchemaNode } from "./schema-node.ts";

const text: SchemaNode = { type: "string" };
const node: SchemaNode = {
  type: "object",
  properties: {
    metadata: { type: "object" },
    spec: {
      type: "object",
      properties: {
        containers: { type: "array", items: { type: "object", properties: { name: text } } },
        labels: { type: "object", additionalProperties: text },
        free: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { known: { type: "object" } },
        },
        raw: {},
        embedded: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
      },
    },
  },
};

const cases: Record<string, { given: unknown; unknown: readonly string[]; left: unknown }> = {
  "unknown fields are named by their place, in document order": {
    given: { zz: 1, spec: { containers: [{ name: "a", bar: 1 }, { bar: 2 }], foo: {} } },
    unknown: ["zz", "spec.containers[0].bar", "spec.containers[1].bar", "spec.foo"],
    left: { spec: { containers: [{ name: "a" }, {}] } },
  },
  "apiVersion, kind and metadata belong to every object": {
    given: { apiVersion: "v1", kind: "Thing", metadata: { name: "x", anything: 1 } },
    unknown: [],
    left: { apiVersion: "v1", kind: "Thing", metadata: { name: "x", anything: 1 } },
  },
  "keys of maps are never unknown": {
    given: { spec: { labels: { "a/b": "c", constructor: "d" } } },
    unknown: [],
    left: { spec: { labels: { "a/b": "c", constructor: "d" } } },
  },
  "preserved objects keep everything but what is unknown in their declared fields": {
    given: { spec: { free: { x: { y: 1 }, known: { z: 1 } }, raw: { deep: [{ a: 1 }] } } },
    unknown: ["spec.free.known.z"],
    left: { spec: { free: { x: { y: 1 }, known: {} }, raw: { deep: [{ a: 1 }] } } },
  },
  "an embedded resource keeps its own apiVersion, kind and metadata": {
    given: { spec: { embedded: { apiVersion: "v1", kind: "X", metadata: { a: 1 }, spec: { b: 1 }, data: 1 } } },
    unknown: ["spec.embedded.spec.b", "spec.embedded.data"],
    left: { spec: { embedded: { apiVersion: "v1", kind: "X", metadata: { a: 1 }, spec: {} } } },
  },
  "a name of Object.prototype is not a declared field": {
    given: { spec: { constructor: {}, toString: 1 } },
    unknown: ["spec.constructor", "spec.toString"],
    left: { spec: {} },
  },
};
for (const [name, { given, unknown, left }] of Object.entries(cases)) {
  test(name, () => {
    const kept = structuredClone(given);
    expect(pruneUnknown(kept, node, { onUnknown: "keep" })).toEqual(unknown);
    expect(kept).toEqual(given);
    expect(pruneUnknown(kept, node, { onUnknown: "drop" })).toEqual(unknown);
    expect(kept).toEqual(left);
  });
}

test("metadata is looked into where its schema is known, as in built-in kinds", () => {
  const builtin: SchemaNode = {
    type: "object",
    properties: { metadata: { type: "object", properties: { name: text } } },
  };
  const draft = { metadata: { name: "x", foo: 1 } };
  expect(pruneUnknown(draft, builtin, { onUnknown: "drop" })).toEqual(["metadata.foo"]);
});

test("a value that is no resource has no fields of its own right", () => {
  const draft = { kind: "x", name: "y" };
  expect(
    pruneUnknown(draft, { type: "object", properties: { name: text } }, { onUnknown: "drop", root: "value" }),
  ).toEqual(["kind"]);
});

test("a schema that contains itself is followed as far as the value goes", () => {
  const cyclic: { type: "object"; properties: Record<string, SchemaNode> } = { type: "object", properties: {} };
  cyclic.properties["not"] = cyclic;
  expect(pruneUnknown({ not: { not: { not: { x: 1 } } } }, cyclic, { onUnknown: "drop" })).toEqual(["not.not.not.x"]);
});
