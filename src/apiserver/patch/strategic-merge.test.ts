import { describe, expect, test } from "vitest";
import { parseJson } from "#base/parse-json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { applyStrategicMerge } from "./strategic-merge.ts";

const byName = { "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name" } as const;
const text: SchemaNode = { type: "string" };
const schema: SchemaNode = {
  type: "object",
  properties: {
    items: {
      type: "array",
      ...byName,
      items: {
        type: "object",
        properties: { name: text, value: text, env: { type: "array", ...byName, items: { type: "object" } } },
      },
    },
    plain: { type: "array", items: text },
    set: { type: "array", "x-kubernetes-patch-strategy": "merge", items: text },
    whole: { type: "object", "x-kubernetes-patch-strategy": "replace", additionalProperties: text },
    empty: { type: "array", ...byName, items: { type: "object" } },
    union: { type: "object", "x-kubernetes-patch-strategy": "retainKeys", properties: { a: text, b: text } },
    labels: { type: "object", additionalProperties: text },
  },
};

describe("a strategic merge", () => {
  const items = [
    { name: "a", value: "1" },
    { name: "b", value: "2" },
    { name: "c", value: "3" },
  ];
  const rows: Record<string, { document: object; patch: object; expected: object }> = {
    "merges elements by key and adds new ones first": {
      document: { items },
      patch: {
        items: [
          { name: "x", value: "0" },
          { name: "b", value: "9" },
        ],
      },
      expected: { items: [{ name: "x", value: "0" }, items[0], { name: "b", value: "9" }, items[2]] },
    },
    "deletes an element": {
      document: { items },
      patch: { items: [{ name: "b", $patch: "delete" }] },
      expected: { items: [items[0], items[2]] },
    },
    "replaces a list": {
      document: { items },
      patch: { items: [{ name: "z" }, { $patch: "replace" }] },
      expected: { items: [{ name: "z" }] },
    },
    "keeps the server's elements where they stood": {
      document: { items },
      patch: { "$setElementOrder/items": [{ name: "c" }, { name: "a" }], items: [{ name: "c", value: "9" }] },
      expected: { items: [items[1], { name: "c", value: "9" }, items[0]] },
    },
    "adds to and takes from a list of scalars": {
      document: { set: ["a", "b"] },
      patch: { "$deleteFromPrimitiveList/set": ["a"], "$setElementOrder/set": ["c", "b"], set: ["c"] },
      expected: { set: ["c", "b"] },
    },
    "replaces a list that has no strategy": {
      document: { plain: ["a", "b"] },
      patch: { plain: ["c"] },
      expected: { plain: ["c"] },
    },
    "replaces an object whose strategy says so": {
      document: { whole: { a: "1" } },
      patch: { whole: { b: "2" } },
      expected: { whole: { b: "2" } },
    },
    "retains only the named keys": {
      document: { union: { a: "1" } },
      patch: { union: { $retainKeys: ["b"], b: "2" } },
      expected: { union: { b: "2" } },
    },
    "replaces an object on demand": {
      document: { labels: { a: "1" } },
      patch: { labels: { $patch: "replace", b: "2" } },
      expected: { labels: { b: "2" } },
    },
    "deletes with null": {
      document: { labels: { a: "1", b: "2" } },
      patch: { labels: { a: null } },
      expected: { labels: { b: "2" } },
    },
  };
  test.each(Object.entries(rows))("%s", (_, { document, patch, expected }) => {
    const before = JSON.stringify([document, patch]);
    const merged = applyStrategicMerge(document, patch, schema);
    expect(merged.ok && merged.value.document).toEqual(expected);
    expect(JSON.stringify([document, patch])).toBe(before);
  });
});

describe("refusals", () => {
  const rows: Record<string, { patch: unknown; why: string; message: string }> = {
    "a list is no patch": {
      patch: [],
      why: "badRequest",
      message: "json: cannot unmarshal array into Go value of type map[string]interface {}",
    },
    "an element without its key": {
      patch: { items: [{ value: "1" }] },
      why: "internal",
      message: "map: map[value:1] does not contain declared merge key: name",
    },
    "keys that are set but not retained": {
      patch: { union: { $retainKeys: ["a"], b: "1" } },
      why: "badRequest",
      message: "invalid patch format of retainKeys",
    },
    "a directive without a list": {
      patch: { $setElementOrder: [] },
      why: "badRequest",
      message: "invalid patch format of setElementOrder list",
    },
    "lists of lists": { patch: { empty: [[1]] }, why: "unprocessable", message: "lists of lists are not supported" },
    "a list beside an object": {
      patch: { items: [[1]] },
      why: "internal",
      message: "list element types are not identical: [[map[name:a]] [[1]]]",
    },
    "an order of a field that is not there": {
      patch: { "$setElementOrder/none": [] },
      why: "internal",
      message: 'unable to find api field in struct Thing for the json field "none"',
    },
    "an object inside a map of the object's": {
      patch: { labels: { a: { b: "1" } } },
      why: "internal",
      message: "merging an object in json but data type is not struct, instead is: map",
    },
    "a directive that is no text": {
      patch: { $patch: 1 },
      why: "internal",
      message: "unknown patch type: %!s(int64=1) in map: map[$patch:1]",
    },
  };
  test.each(Object.entries(rows))("%s", (_, { patch, why, message }) => {
    const document = { kind: "Thing", items: [{ name: "a" }], union: { a: "1" }, empty: [], labels: { a: {} } };
    expect(applyStrategicMerge(document, patch, schema)).toEqual({ ok: false, why, message });
  });
});

test("cannot reach a prototype", () => {
  const patch = parseJson('{"labels":{"__proto__":"x"},"__proto__":{"polluted":true}}').value;
  const result = applyStrategicMerge({ labels: { a: "1" } }, patch, schema);
  expect(result.ok && Object.hasOwn(result.value.document, "__proto__")).toBe(true);
  expect(result.ok && Object.getPrototypeOf(result.value.document)).toBe(Object.prototype);
  expect({}).not.toHaveProperty("polluted");
});

test("a list of many elements costs time in proportion", () => {
  const many = Array.from({ length: 30_000 }, (_, index) => ({ name: `n${index}`, value: "1" }));
  const patch = { "$setElementOrder/items": many.map(({ name }) => ({ name })).reverse(), items: [...many].reverse() };
  const result = applyStrategicMerge({ items: many }, patch, schema);
  expect(result.ok && (result.value.document["items"] as unknown[])[0]).toEqual({ name: "n29999", value: "1" });
});
