import { describe, expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { type ApplyFacts, type ApplyResult, applyPatch } from "./apply-patch.ts";

const text: SchemaNode = { type: "string" };
const schema: SchemaNode = {
  type: "object",
  properties: {
    apiVersion: text,
    kind: text,
    metadata: {
      type: "object",
      properties: {
        name: text,
        namespace: text,
        labels: { type: "object", additionalProperties: text },
        managedFields: {},
      },
    },
    data: { type: "object", additionalProperties: text },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        properties: { port: { type: "integer" }, protocol: { ...text, default: "TCP" }, name: text },
      },
    },
  },
};

function config(content: Record<string, unknown>): Draft {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "n" }, ...content };
}

function apply(facts: Partial<ApplyFacts> & { applied: object }): ApplyResult {
  const defaults = { schema, live: undefined, manager: "m", force: false, time: "2026-11-15T07:50:07Z" };
  return applyPatch({ ...defaults, apiVersion: "v1", kind: "ConfigMap", ...facts });
}

function applied(facts: Partial<ApplyFacts> & { applied: object }): Draft {
  const result = apply(facts);
  if (!result.ok) throw new Error(result.message);
  return result.object;
}

test("an apply to nothing creates, and owns what it says", () => {
  expect(applied({ applied: config({ data: { a: "1" } }) })).toEqual({
    ...config({ data: { a: "1" } }),
    metadata: {
      name: "c",
      namespace: "n",
      managedFields: [
        {
          manager: "m",
          operation: "Apply",
          apiVersion: "v1",
          time: "2026-11-15T07:50:07Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { "f:a": {} } },
        },
      ],
    },
  });
});

describe("a second manager", () => {
  const live = applied({ applied: config({ data: { a: "1", b: "2" } }) });

  test("is told about every field that it would take", () => {
    expect(apply({ live, manager: "other", applied: config({ data: { a: "9", c: "3" } }) })).toEqual({
      ok: false,
      why: "conflict",
      message: 'Apply failed with 1 conflict: conflict with "m": .data.a',
      conflicts: [{ message: 'conflict with "m"', field: ".data.a" }],
    });
    expect(apply({ live, manager: "other", applied: config({ data: { a: "9", b: "9" } }) })).toMatchObject({
      message: 'Apply failed with 2 conflicts: conflicts with "m":\n- .data.a\n- .data.b',
    });
  });

  test("takes it by force", () => {
    const object = applied({ live, manager: "other", force: true, applied: config({ data: { a: "9" } }) });
    expect(object["data"]).toEqual({ a: "9", b: "2" });
    expect(object.metadata.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ["m", { "f:data": { "f:b": {} } }],
      ["other", { "f:data": { "f:a": {} } }],
    ]);
  });

  test("shares a field whose value it agrees with, and then it takes two to remove it", () => {
    const shared = applied({ live, manager: "other", applied: config({ data: { a: "1" } }) });
    const once = applied({ live: shared, applied: config({ data: { b: "2" } }) });
    expect(once["data"]).toEqual({ a: "1", b: "2" });
    const twice = applied({ live: once, manager: "other", applied: config({}) });
    expect(twice["data"]).toEqual({ b: "2" });
  });
});

test("a conflict with an updater names its version", () => {
  const live = config({ data: { a: "1" } });
  live.metadata.managedFields = [
    {
      manager: "kubectl-client-side-apply",
      operation: "Update",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:a": {} } },
    },
  ];
  expect(apply({ live, applied: config({ data: { a: "2" } }) })).toMatchObject({
    message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a',
  });
});

test("fields of an object without managers belong to whoever was before", () => {
  const live = config({ data: { a: "1" } });
  expect(apply({ live, applied: config({ data: { a: "2" } }) })).toMatchObject({
    message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
  });
});

test("what is no longer applied goes, what others set stays", () => {
  const first = applied({ applied: config({ data: { a: "1", b: "2" } }) });
  const edited = { ...first, data: { a: "1", b: "2", c: "3" } };
  expect(applied({ live: edited, applied: config({ data: { a: "1" } }) })["data"]).toEqual({ a: "1", c: "3" });
});

test("applying the same again changes nothing, not even the time", () => {
  const live = applied({ applied: config({ data: { a: "1" } }) });
  const again = applied({ live, applied: config({ data: { a: "1" } }), time: "2026-11-15T08:00:00Z" });
  expect(again).toEqual(live);
  expect(again).not.toBe(live);
});

test("a port without a protocol is a TCP port", () => {
  const live = applied({ applied: config({ ports: [{ port: 80, protocol: "TCP", name: "a" }] }) });
  const next = applied({ live, applied: config({ ports: [{ port: 80, name: "b" }] }) });
  // One port, not two; the protocol is no longer applied, and defaulting will set it.
  expect(next["ports"]).toEqual([{ port: 80, name: "b" }]);
});

describe("refusals", () => {
  const rows: Record<string, { content: Record<string, unknown>; why: string; message: string }> = {
    "an unknown field": {
      content: { nope: 1 },
      why: "invalid",
      message: "failed to create typed patch object (n/c; /v1, Kind=ConfigMap): .nope: field not declared in schema",
    },
    "a value of another kind": {
      content: { ports: [{ port: "80" }] },
      why: "invalid",
      message:
        'failed to create typed patch object (n/c; /v1, Kind=ConfigMap): .ports[port="80",protocol="TCP"].port: expected numeric (int or float), got string',
    },
    "two elements with the same keys": {
      content: { ports: [{ port: 80 }, { port: 80, protocol: "TCP" }] },
      why: "invalid",
      message:
        'failed to create typed patch object (n/c; /v1, Kind=ConfigMap): .ports: duplicate entries for key [port=80,protocol="TCP"]',
    },
    managedFields: {
      content: { metadata: { name: "c", managedFields: [] } },
      why: "badRequest",
      message: "metadata.managedFields must be nil",
    },
  };
  test.each(Object.entries(rows))("%s", (_, { content, why, message }) => {
    expect(apply({ applied: config(content) })).toEqual({ ok: false, why, message });
  });
});

test("neither the live object nor the configuration is changed", () => {
  const live = applied({ applied: config({ data: { a: "1" } }) });
  const configuration = config({ data: { a: "2" } });
  const before = JSON.stringify([live, configuration]);
  const object = applied({ live, applied: configuration });
  (object["data"] as Record<string, string>)["a"] = "3";
  expect(JSON.stringify([live, configuration])).toBe(before);
});
