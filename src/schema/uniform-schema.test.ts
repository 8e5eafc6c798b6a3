import { expect, test } from "vitest";
import { cloneJson } from "#base/json.ts";
import type { SchemaNode } from "./schema-node.ts";
import { blankNode, uniformSchema } from "./uniform-schema.ts";

const schema: SchemaNode = {
  required: ["size"],
  type: "object",
  properties: {
    size: { oneOf: [{ type: "integer" }, { type: "string" }], not: { enum: [0] } },
    ["__proto__"]: { type: "string" },
    tags: { type: "array", items: { type: "object", additionalProperties: { type: "string", nullable: true } } },
  },
  allOf: [{ minProperties: 1 }],
  anyOf: [{ additionalProperties: false }],
};

test("says what the schema says", () => {
  expect(cloneJson(uniformSchema(schema))).toEqual(schema);
});

test("all nodes have the same members in the same order", () => {
  const form = Object.keys(blankNode());
  let nodes = 0;
  const visit = (value: unknown, isNode: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    if (isNode) {
      expect(Object.keys(value)).toEqual(form);
      nodes++;
      const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = value as SchemaNode;
      for (const each of [items, additionalProperties, not, ...(allOf ?? []), ...(anyOf ?? []), ...(oneOf ?? [])])
        visit(each, true);
      for (const name of Object.getOwnPropertyNames(properties ?? {}))
        visit(Object.getOwnPropertyDescriptor(properties, name)?.value, true);
    }
  };
  visit(uniformSchema(schema), true);
  expect(nodes).toBe(11);
});

test("what has that form is taken as it is", () => {
  const uniform = uniformSchema(schema);
  expect(uniformSchema(uniform)).toBe(uniform);
  expect(uniformSchema({ type: "object", properties: { own: uniform } }).properties?.["own"]).toBe(uniform);
});
