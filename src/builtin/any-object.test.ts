import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { cloneJson } from "#base/json.ts";
import { applyDefaults } from "#schema/default-fields.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { builtinResources } from "./builtin-resources.ts";
import { findDataDirectory } from "./data-directory.ts";
import { loadBuiltinCatalog } from "./load-schemas.ts";

/** Whatever the schema lets through must be defaulted, judged and printed without a crash, however odd it is. */

const words = [
  "",
  "a",
  "A_",
  "None",
  "RollingUpdate",
  "Always",
  "ClusterIP",
  "10.0.0.1",
  "1Gi",
  "-1",
  "50%",
  "Indexed",
];
const maxDepth = 7;

/** A value that the schema's types allow; members come and go. */
function anyOf(node: SchemaNode, depth: number): fc.Arbitrary<unknown> {
  if (node["x-kubernetes-int-or-string"] === true)
    return fc.oneof(fc.constantFrom(...words), fc.integer({ min: -1, max: 70_000 }));
  switch (node.type) {
    case "string":
      return fc.constantFrom(...words);
    case "integer":
    case "number":
      return fc.constantFrom(-1, 0, 1, 3, 80, 70_000);
    case "boolean":
      return fc.boolean();
    case "array":
      return depth === 0 ? fc.constant([]) : fc.array(anyOf(node.items ?? {}, depth - 1), { maxLength: 2 });
    case "object":
      return objectOf(node, depth);
    default:
      return fc.constantFrom("x", 1);
  }
}

function objectOf(node: SchemaNode, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return fc.constant({});
  const members = Object.entries(node.properties ?? {});
  if (members.length > 0) {
    return fc
      .subarray(members, { maxLength: Math.min(6, members.length) })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map(([key, child]) => [key, anyOf(child, depth - 1)]))));
  }
  const items = typeof node.additionalProperties === "object" ? node.additionalProperties : { type: "string" as const };
  return fc.dictionary(fc.constantFrom("a", "app", "storage", "cpu"), anyOf(items, depth - 1), { maxKeys: 2 });
}

function drawn(type: ResourceType): fc.Arbitrary<Draft> {
  const { apiVersion: _, kind: __, metadata: ___, ...members } = type.schema.properties ?? {};
  const metadata = { name: "a", uid: "u", resourceVersion: "1", creationTimestamp: "2026-11-15T08:00:00Z" };
  return objectOf({ type: "object", properties: members }, maxDepth).map((rest) => ({
    ...(rest as object),
    apiVersion: type.group === "" ? type.version : `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { ...metadata, ...(type.namespaced && { namespace: "default" }) },
  }));
}

for (const type of builtinResources(loadBuiltinCatalog(findDataDirectory()))) {
  const { strategy } = type;
  test(`any ${type.group}/${type.kind} is defaulted, judged and printed`, () => {
    fc.assert(
      fc.property(drawn(type), (object) => {
        const draft = cloneJson(object);
        applyDefaults(draft, type.schema);
        strategy.applyDefaults?.(draft);
        const once = cloneJson(draft);
        strategy.applyDefaults?.(draft);
        expect(draft, "defaults change what they made").toEqual(once);
        strategy.prepareForCreate?.(draft);
        const stored = cloneJson(draft) as unknown as ApiObject;
        const next = draft as unknown as ApiObject;
        strategy.validate?.(next);
        strategy.warnings?.(next);
        expect(type.table.cells(next, 0)).toHaveLength(type.table.columns.length);
        strategy.prepareForUpdate?.(draft, stored);
        expect(strategy.validateUpdate?.(next, stored) ?? [], "no change is no error").toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
}
