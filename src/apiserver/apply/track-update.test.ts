import { describe, expect, test } from "vitest";
import type { Draft, ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { trackUpdate, type UpdateFacts } from "./track-update.ts";

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
        generateName: text,
        uid: text,
        labels: { type: "object", additionalProperties: text },
        finalizers: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      },
    },
    data: { type: "object", additionalProperties: text },
    status: { type: "object", properties: { phase: text } },
  },
};

type Content = { data?: Record<string, string>; metadata?: Record<string, unknown>; [field: string]: unknown };

function draft({ metadata, ...content }: Content): Draft {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", ...metadata }, ...content };
}

function track(facts: Partial<UpdateFacts> & { next: Draft }): ManagedFieldsEntry[] | undefined {
  const defaults = { schema, old: undefined, manager: "curl", time: "2026-11-15T07:50:07Z", apiVersion: "v1" };
  const zero = { apiVersion: "v1", kind: "ConfigMap", metadata: {} };
  return trackUpdate({ ...defaults, zero, ...facts }).metadata.managedFields;
}

function entry(
  manager: string,
  fieldsV1: ManagedFieldsEntry["fieldsV1"],
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  const time = "2026-11-15T07:00:00Z";
  return {
    manager,
    operation: "Update",
    apiVersion: "v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: fieldsV1 ?? {},
    ...more,
  };
}

test("a create is owned as kube-apiserver records it", () => {
  // Recorded: the answer to `POST create` of a real kube-apiserver.
  expect(track({ next: draft({ metadata: { generateName: "g-" }, data: { a: "b" } }) })).toEqual([
    entry(
      "curl",
      { "f:data": { ".": {}, "f:a": {} }, "f:metadata": { "f:generateName": {} } },
      { time: "2026-11-15T07:50:07Z" },
    ),
  ]);
});

describe("an update", () => {
  const owned = [entry("alice", { "f:data": { ".": {}, "f:a": {}, "f:b": {} } })];
  const old = draft({ data: { a: "1", b: "2" }, metadata: { uid: "u", managedFields: owned } });
  const rows: Record<string, { next: Content; expected: ManagedFieldsEntry[] | undefined }> = {
    "that changes nothing leaves entries and times alone": { next: { data: { a: "1", b: "2" } }, expected: owned },
    "moves a changed field to its writer": {
      next: { data: { a: "9", b: "2" } },
      expected: [
        entry("alice", { "f:data": { ".": {}, "f:b": {} } }),
        entry("curl", { "f:data": { "f:a": {} } }, { time: "2026-11-15T07:50:07Z" }),
      ],
    },
    "takes a removed field from everyone": {
      next: { data: { a: "1" } },
      expected: [entry("alice", { "f:data": { ".": {}, "f:a": {} } })],
    },
    "drops a manager that owns nothing any more": { next: {}, expected: undefined },
    "clears all managers with an empty list": {
      next: { data: { a: "1", b: "2" }, metadata: { managedFields: [] } },
      expected: undefined,
    },
    "clears all managers with an empty entry": {
      next: { data: { a: "1", b: "2" }, metadata: { managedFields: [{}] } },
      expected: undefined,
    },
    "takes managedFields that the request sets": {
      next: { data: { a: "1", b: "2" }, metadata: { managedFields: [entry("bob", { "f:data": { "f:a": {} } })] } },
      expected: [entry("bob", { "f:data": { "f:a": {} } })],
    },
    "ignores managedFields that make no sense": {
      next: { data: { a: "1", b: "2" }, metadata: { managedFields: [{ manager: "x" }] } },
      expected: owned,
    },
  };
  test.each(Object.entries(rows))("%s", (_, { next, expected }) => {
    const before = JSON.stringify(old);
    expect(track({ old, next: draft({ ...next, metadata: { uid: "u", ...next.metadata } }) })).toEqual(expected);
    expect(JSON.stringify(old)).toBe(before);
  });

  test("of an object without managers records none", () => {
    const bare = draft({ data: { a: "1" }, metadata: { uid: "u" } });
    expect(track({ old: bare, next: draft({ data: { a: "2" } }) })).toBeUndefined();
  });
});

test("a subresource has entries of its own and cannot set managedFields", () => {
  const owned = [entry("alice", { "f:data": { "f:a": {} } })];
  const old = draft({ data: { a: "1" }, metadata: { uid: "u", managedFields: owned } });
  const next = draft({ data: { a: "1" }, status: { phase: "Ready" }, metadata: { managedFields: [] } });
  expect(track({ old, next, subresource: "status", ignored: { "f:data": {} } })).toEqual([
    ...owned,
    entry("curl", { "f:status": { ".": {}, "f:phase": {} } }, { time: "2026-11-15T07:50:07Z", subresource: "status" }),
  ]);
});

test("what an endpoint does not write is not owned through it", () => {
  expect(track({ next: draft({ status: { phase: "x" } }), ignored: { "f:status": {} } })).toBeUndefined();
});

test("the eleventh updater makes the two oldest ancient", () => {
  const owned = Array.from({ length: 10 }, (_, index) =>
    entry(`m${index}`, { "f:data": { [`f:k${index}`]: {} } }, { time: `2026-11-15T07:00:0${index}Z` }),
  );
  const data = Object.fromEntries(owned.map((_, index) => [`k${index}`, "1"]));
  const old = draft({ data, metadata: { uid: "u", managedFields: owned } });
  const entries = track({ old, next: draft({ data: { ...data, more: "1" } }) })!;
  expect(entries.map(({ manager }) => manager)).toEqual([
    "ancient-changes",
    "m2",
    "m3",
    "m4",
    "m5",
    "m6",
    "m7",
    "m8",
    "m9",
    "curl",
  ]);
  expect(entries[0]).toEqual(
    entry("ancient-changes", { "f:data": { "f:k0": {}, "f:k1": {} } }, { time: "2026-11-15T07:00:01Z" }),
  );
});

test("keys named like parts of a prototype are fields like others", () => {
  const data = JSON.parse('{"__proto__":"x","constructor":"y"}');
  expect(track({ next: draft({ data }) })).toEqual([
    entry("curl", { "f:data": { ".": {}, "f:__proto__": {}, "f:constructor": {} } }, { time: "2026-11-15T07:50:07Z" }),
  ]);
});
