import fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson, RawNumber } from "#base/json.ts";
import { findTypeError } from "./decode-types.ts";
import { applyDefaults, dropUnwantedNulls, hasAllDefaults } from "./default-fields.ts";
import { isKnownPlainly } from "./known-plainly.ts";
import { createPatternCache } from "./pattern-cache.ts";
import { pruneUnknown } from "./prune-fields.ts";
import type { SchemaNode } from "./schema-node.ts";
import { isSurelyValid } from "./surely-valid.ts";
import { ValidationWalk } from "./validation-walk.ts";

const word = fc.constantFrom("a", "b", "", "é😀", "2026-11-16T08:00:00Z", "long enough");
const number = fc.constantFrom<unknown>(
  0,
  1,
  7,
  -3,
  1.5,
  2 ** 40,
  new RawNumber("1.0"),
  new RawNumber("9007199254740993"),
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    word,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any"), { maxKeys: 3 }),
  ),
})).any;

const rules = fc.record(
  {
    maxLength: fc.nat(3),
    minLength: fc.nat(3),
    pattern: fc.constantFrom("^[a-z ]+$", "", "("),
    format: fc.constantFrom("date-time", "int32", "int64", "double", "unknown", "byte"),
    enum: fc.array(fc.oneof(word, fc.nat(2)), { minLength: 1, maxLength: 2 }),
    minimum: fc.constantFrom(0, 1, 0.5),
    maximum: fc.constantFrom(0, 7, 1.5),
    exclusiveMinimum: fc.boolean(),
    exclusiveMaximum: fc.boolean(),
    multipleOf: fc.constantFrom(2, 0.5),
    nullable: fc.boolean(),
    minItems: fc.nat(2),
    maxItems: fc.nat(2),
    uniqueItems: fc.boolean(),
    minProperties: fc.nat(2),
    "x-kubernetes-int-or-string": fc.boolean(),
    "x-kubernetes-preserve-unknown-fields": fc.boolean(),
  },
  { requiredKeys: [] },
);
const few = rules.map((all) => Object.fromEntries(Object.entries(all).slice(0, 2)));
const node = fc.letrec<{ any: SchemaNode }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(fc.constantFrom("string", "integer", "number", "boolean", undefined), few)
      .map(([type, rest]) => ({ ...rest, ...(type === undefined ? {} : { type }) }) as SchemaNode),
    fc.tuple(tie("any"), few, fc.constantFrom("set", "map", "atomic", undefined)).map(
      ([items, rest, list]) =>
        ({
          ...rest,
          type: "array",
          items,
          ...(list === undefined ? {} : { "x-kubernetes-list-type": list }),
          ...(list === "map" ? { "x-kubernetes-list-map-keys": ["a"] } : {}),
        }) as SchemaNode,
    ),
    fc.tuple(fc.dictionary(fc.constantFrom("a", "b"), tie("any")), few, fc.subarray(["a", "c"]), fc.boolean()).map(
      ([properties, rest, required, closed]) =>
        ({
          ...rest,
          type: "object",
          properties,
          required,
          ...(closed ? { additionalProperties: false } : {}),
        }) as SchemaNode,
    ),
  ),
})).any;

test("what is surely valid is found to be valid by the one that looks closely", () => {
  let sure = 0;
  fc.assert(
    fc.property(node, value, (schema, given) => {
      const patterns = createPatternCache();
      if (!isSurelyValid(given, schema, patterns)) return;
      sure++;
      const walk = new ValidationWalk(patterns, "");
      walk.visit(given, schema);
      expect([...walk.errors, ...walk.duplicates]).toEqual([]);
    }),
    { numRuns: 6_000 },
  );
  expect(sure).toBeGreaterThan(100);
});

/** As schemas of whole objects are: what every object has is typed, too. */
function ofResource(properties: Readonly<Record<string, SchemaNode>>): SchemaNode {
  const text: SchemaNode = { type: "string" };
  return { type: "object", properties: { metadata: { type: "object", properties: { name: text } }, ...properties } };
}

test("what is plainly known is neither pruned nor refused", () => {
  let known = 0;
  const amount: SchemaNode = { format: "quantity" };
  const nodes = fc.oneof(
    node,
    fc.constantFrom<SchemaNode>(amount, { type: "object", additionalProperties: amount }, {}, { type: "array" }),
    fc.constantFrom<SchemaNode>(
      { type: "object", additionalProperties: true },
      { "x-kubernetes-embedded-resource": true },
    ),
  );
  fc.assert(
    fc.property(nodes, nodes, value, value, (a, b, first, second) => {
      const schema = ofResource({ a, b });
      const object = { apiVersion: "v1", kind: "Thing", metadata: { name: "x" }, a: first, b: second };
      if (!isKnownPlainly(object, schema)) return;
      known++;
      expect(findTypeError(object, schema, "Thing")).toBeUndefined();
      const pruned = cloneJson(object);
      expect(pruneUnknown(pruned, schema, { onUnknown: "drop" })).toEqual([]);
      expect(pruned).toEqual(object);
    }),
    { numRuns: 6_000 },
  );
  expect(known).toBeGreaterThan(100);
});

test("what has all defaults is not changed by filling them in", () => {
  let complete = 0;
  const withDefault = fc
    .tuple(node, fc.boolean(), word)
    .map(([each, has, fallback]) => (has ? { ...each, default: fallback } : each) as SchemaNode);
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b"), withDefault), value, (properties, given) => {
      const schema: SchemaNode = { type: "object", properties };
      if (!hasAllDefaults(given, schema)) return;
      complete++;
      const filled = cloneJson(given);
      dropUnwantedNulls(filled, schema);
      applyDefaults(filled, schema);
      expect(filled).toEqual(given);
    }),
    { numRuns: 3_000 },
  );
  expect(complete).toBeGreaterThan(100);
});

test("plain objects need no close look", () => {
  const conditions: SchemaNode = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
    items: {
      type: "object",
      required: ["type", "lastTransitionTime"],
      properties: {
        type: { type: "string", pattern: "^[A-Z][a-zA-Z]*$", maxLength: 316 },
        status: { type: "string", enum: ["True", "False", "Unknown"] },
        lastTransitionTime: { type: "string", format: "date-time" },
        observedGeneration: { type: "integer", format: "int64", minimum: 0 },
      },
    },
  };
  const at = { lastTransitionTime: "2026-11-16T08:00:00Z", observedGeneration: 1, status: "True" };
  const isSure = (items: readonly object[]) => isSurelyValid(items, conditions, createPatternCache());
  expect(
    isSure([
      { type: "Applied", ...at },
      { type: "Healthy", ...at },
    ]),
  ).toBe(true);
  expect(
    isSure([
      { type: "Applied", ...at },
      { type: "Applied", ...at },
    ]),
  ).toBe(false);
  expect(isSure([{ type: "applied", ...at }])).toBe(false);
});
