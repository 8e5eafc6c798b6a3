import { expect, test } from "vitest";
import { RawNumber } from "#base/json.ts";
import { applyDefaults, dropUnwantedNulls } from "./default-fields.ts";
import type { SchemaNode } from "./schema-node.ts";

const mode: SchemaNode = { type: "string", default: "Never" };
const shared = { a: [1] };
const node: SchemaNode = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        mode,
        nullable: { type: "string", nullable: true, default: "x" },
        nested: { type: "object", properties: { mode } },
        filled: { type: "object", default: {}, properties: { mode } },
        list: { type: "array", items: { type: "object", properties: { mode } } },
        map: { type: "object", additionalProperties: { type: "object", properties: { mode } } },
        shared: { type: "object", default: shared, properties: { a: { type: "array", items: { type: "integer" } } } },
        bare: { type: "string" },
      },
    },
  },
};

const cases: Record<string, { given: unknown; expect: unknown }> = {
  "a parent that is absent stays absent": { given: {}, expect: {} },
  "a field gets its default, and a default object its own defaults": {
    given: { spec: {} },
    expect: { spec: { mode: "Never", nullable: "x", filled: { mode: "Never" }, shared: { a: [1] } } },
  },
  "null is replaced unless the field is nullable": {
    given: { spec: { mode: null, nullable: null, filled: {}, shared: { a: [] } } },
    expect: { spec: { mode: "Never", nullable: null, filled: { mode: "Never" }, shared: { a: [] } } },
  },
  "items and map values are filled": {
    given: { spec: { nullable: "", list: [{}, "odd"], map: { __proto__x: {} }, shared: {} } },
    expect: {
      spec: {
        nullable: "",
        list: [{ mode: "Never" }, "odd"],
        map: { __proto__x: { mode: "Never" } },
        shared: {},
        mode: "Never",
        filled: { mode: "Never" },
      },
    },
  },
  "what the schema does not know is left alone": {
    given: { spec: "text", other: { mode: null } },
    expect: { spec: "text", other: { mode: null } },
  },
};
for (const [name, { given, expect: expected }] of Object.entries(cases)) {
  test(name, () => {
    applyDefaults(given, node);
    expect(given).toEqual(expected);
  });
}

test("each default is a copy of its own", () => {
  const first = { spec: {} as { shared?: { a: number[] } } };
  applyDefaults(first, node);
  first.spec.shared?.a.push(2);
  const second = { spec: {} as { shared?: { a: number[] } } };
  applyDefaults(second, node);
  expect(second.spec.shared).toEqual({ a: [1] });
});

test("a default for a member called __proto__ does not change the prototype", () => {
  const hostile: SchemaNode = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"object","default":{"x":1}}}}',
  );
  const draft = {};
  applyDefaults(draft, hostile);
  expect(Object.getPrototypeOf(draft)).toBe(Object.prototype);
  expect(Object.hasOwn(draft, "__proto__")).toBe(true);
});

test("nulls without a default go where null is not allowed, and stay elsewhere", () => {
  const draft = {
    spec: { bare: null, mode: null, nullable: null, list: [null], number: new RawNumber("1.0") },
    other: null,
  };
  dropUnwantedNulls(draft, node);
  expect(draft).toEqual({
    spec: { mode: null, nullable: null, list: [null], number: new RawNumber("1.0") },
    other: null,
  });
});
