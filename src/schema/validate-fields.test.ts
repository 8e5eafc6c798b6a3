import { expect, test } from "vitest";
import { fieldErrorMessage } from "#base/field-error.ts";
import { RawNumber } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import type { SchemaNode } from "./schema-node.ts";
import { validateFields, validateFieldsUpdate } from "./validate-fields.ts";

/** Rows: a schema for `spec.x`, values of it, and what kube-apiserver 1.36 says. */
const cases: Record<string, readonly { x: unknown; node: SchemaNode; says: readonly string[] }[]> = {
  types: [
    {
      node: { type: "string" },
      x: 1,
      says: ['spec.x: Invalid value: "integer": spec.x in body must be of type string: "integer"'],
    },
    {
      node: { type: "integer" },
      x: "1",
      says: ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
    },
    {
      node: { type: "object" },
      x: null,
      says: ['spec.x: Invalid value: "null": spec.x in body must be of type object: "null"'],
    },
    { node: { type: "object", nullable: true }, x: null, says: [] },
    { node: { type: "number" }, x: 1, says: [] },
    { node: { type: "integer" }, x: new RawNumber("1.0"), says: [] },
    {
      node: { type: "string", format: "date-time" },
      x: 5,
      says: ['spec.x: Invalid value: "int64": spec.x in body must be of type date-time: "int64"'],
    },
    {
      node: { type: "string", format: "date-time" },
      x: [],
      says: [], // so does Kubernetes
    },
    {
      node: { "x-kubernetes-int-or-string": true },
      x: true,
      says: ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"'],
    },
  ],
  numbers: [
    {
      node: { type: "integer", maximum: 10 },
      x: 11,
      says: ["spec.x: Invalid value: 11: spec.x in body should be less than or equal to 10"],
    },
    {
      node: { type: "integer", minimum: 1, exclusiveMinimum: true },
      x: 1,
      says: ["spec.x: Invalid value: 1: spec.x in body should be greater than 1"],
    },
    {
      node: { type: "integer", multipleOf: 3 },
      x: 4,
      says: ["spec.x: Invalid value: 4: spec.x in body should be a multiple of 3"],
    },
    {
      node: { type: "integer", format: "int32" },
      x: 3000000000,
      says: ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
    },
    { node: { type: "integer", format: "int64" }, x: new RawNumber("9007199254740993"), says: [] },
  ],
  strings: [
    { node: { type: "string", maxLength: 3 }, x: "abcd", says: ["spec.x: Too long: may not be more than 3 bytes"] },
    { node: { type: "string", maxLength: 2 }, x: "日本", says: [] },
    {
      node: { type: "string", minLength: 1 },
      x: "",
      says: ['spec.x: Invalid value: "": spec.x in body should be at least 1 chars long'],
    },
    {
      node: { type: "string", pattern: "^a" },
      x: "b",
      says: [`spec.x: Invalid value: "b": spec.x in body should match '^a'`],
    },
    {
      node: { type: "string", enum: ["a", "b"] },
      x: "c",
      says: ['spec.x: Unsupported value: "c": supported values: "a", "b"'],
    },
    {
      node: { type: "string", format: "ipv4" },
      x: "1.2.3",
      says: ['spec.x: Invalid value: "1.2.3": spec.x in body must be of type ipv4: "1.2.3"'],
    },
    { node: { type: "string", format: "nobody-knows" }, x: "x", says: [] },
  ],
  objects: [
    { node: { type: "object", required: ["a"] }, x: {}, says: ["spec.x.a: Required value"] },
    { node: { type: "object", required: ["constructor"] }, x: {}, says: ["spec.x.constructor: Required value"] },
    {
      node: { type: "object", minProperties: 1 },
      x: {},
      says: ["spec.x: Invalid value: 0: spec.x in body should have at least 1 properties"],
    },
    {
      node: { type: "object", maxProperties: 1 },
      x: { a: 1, b: 1 },
      says: ["spec.x: Too many: 2: must have at most 1 item"],
    },
    {
      node: { type: "object", additionalProperties: { type: "string" } },
      x: { "a/b": 1 },
      says: ['spec.x.a/b: Invalid value: "integer": spec.x.a/b in body must be of type string: "integer"'],
    },
  ],
  lists: [
    {
      node: { type: "array", minItems: 1 },
      x: [],
      says: ["spec.x: Invalid value: 0: spec.x in body should have at least 1 items"],
    },
    { node: { type: "array", maxItems: 2 }, x: [1, 2, 3], says: ["spec.x: Too many: 3: must have at most 2 items"] },
    {
      node: { type: "array", items: { type: "string" } },
      x: ["a", 1],
      says: ['spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type string: "integer"'],
    },
    {
      node: { type: "array", "x-kubernetes-list-type": "set" },
      x: ["a", "b", "a", "a"],
      says: ['spec.x[2]: Duplicate value: "a"'],
    },
    {
      node: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
      x: [
        { k: 1, v: 1 },
        { k: 1, v: 2 },
      ],
      says: ['spec.x[1]: Duplicate value: {"k":1}'],
    },
  ],
  alternatives: [
    {
      node: { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      x: {},
      says: [
        '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
        "spec.x.a: Required value",
      ],
    },
    {
      node: { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      x: { a: 1, b: 1 },
      says: [
        '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    },
    {
      node: { not: { required: ["a"] } },
      x: { a: 1 },
      says: ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)'],
    },
  ],
};
for (const [topic, rows] of Object.entries(cases)) {
  for (const { node, x, says } of rows) {
    test(`${topic}: ${JSON.stringify(x)} against ${JSON.stringify(node)}`, () => {
      expect(validateFields({ spec: { x } }, around(node)).map(fieldErrorMessage)).toEqual(says);
    });
  }
}

test("a path in front of the value is part of every finding", () => {
  const errors = validateFields({}, { type: "object", required: ["a"] }, { path: "spec.template" });
  expect(errors.map(fieldErrorMessage)).toEqual(["spec.template.a: Required value"]);
});

test("an update passes where it leaves what was wrong as it was", () => {
  const node = around({
    type: "object",
    properties: { bad: { type: "string", maxLength: 1 }, other: { type: "string", maxLength: 1 } },
  });
  const old = { spec: { x: { bad: "too long", other: "a" } } };
  const says = (x: unknown) => validateFieldsUpdate({ spec: { x } }, node, { old }).map(fieldErrorMessage);
  expect(says({ bad: "too long", other: "b" })).toEqual([]);
  expect(says({ bad: "too long, too", other: "a" })).toEqual(["spec.x.bad: Too long: may not be more than 1 byte"]);
});

test("items of a list that is a map are followed by their keys", () => {
  const item: SchemaNode = {
    type: "object",
    properties: { k: { type: "string" }, v: { type: "integer", maximum: 1 } },
  };
  const node = around({
    type: "array",
    items: item,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  });
  const old = { spec: { x: [{ k: "a", v: 9 }] } };
  const moved = {
    spec: {
      x: [
        { k: "new", v: 1 },
        { k: "a", v: 9 },
      ],
    },
  };
  expect(validateFieldsUpdate(moved, node, { old })).toEqual([]);
  const changed = { spec: { x: [{ k: "new", v: 9 }] } };
  expect(validateFieldsUpdate(changed, node, { old }).map((error) => error.path)).toEqual(["spec.x[0].v"]);
});

test("duplicates that were there before do not block an update", () => {
  const node = around({ type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" });
  const old = { spec: { x: ["a", "a"] } };
  expect(validateFieldsUpdate({ spec: { x: ["a", "a", "b"] } }, node, { old })).toEqual([]);
  expect(validateFieldsUpdate({ spec: { x: ["a", "a"] } }, node, { old: { spec: { x: ["a"] } } })).toHaveLength(1);
});

test("a hostile pattern costs no more than its length", () => {
  const node = around({ type: "string", pattern: "^(a+)+$" });
  const value = parseJson(`{"spec":{"x":"${"a".repeat(20_000)}!"}}`).value;
  expect(validateFields(value, node)).toHaveLength(1);
});

test("members of Object.prototype are neither values nor schemas", () => {
  const node: SchemaNode = {
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: { type: "integer" },
  };
  const value = parseJson('{"__proto__": "x", "constructor": 1, "toString": 2}').value;
  expect(validateFields(value, node).map((error) => error.path)).toEqual(["__proto__"]);
});

function around(node: SchemaNode): SchemaNode {
  return { type: "object", properties: { spec: { type: "object", properties: { x: node } } } };
}
