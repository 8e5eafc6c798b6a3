import fc from "fast-check";
import { expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { cloneJson, type Json } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { compareObjects } from "./compare-objects.ts";
import { FieldSetPool } from "./field-set-pool.ts";
import { KnownComparison } from "./known-comparison.ts";
import { KnownUpdates } from "./known-updates.ts";
import { trackUpdate, type UpdateFacts } from "./track-update.ts";

const text: SchemaNode = { type: "string" };
const named: SchemaNode = {
  type: "object",
  properties: { name: text, value: text, tags: { type: "array", items: text, "x-kubernetes-list-type": "set" } },
};
const schema: SchemaNode = {
  type: "object",
  properties: {
    metadata: {
      type: "object",
      properties: {
        name: text,
        labels: { type: "object", additionalProperties: text },
        ownerReferences: {
          type: "array",
          items: { type: "object", properties: { uid: text, name: text } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["uid"],
        },
      },
    },
    spec: {
      type: "object",
      properties: {
        list: { type: "array", items: named, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
        whole: { type: "array", items: named },
        atom: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: text },
        more: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        size: { type: "integer" },
      },
    },
    status: { type: "object", properties: { phase: text } },
  },
};

/** Few names and values, so that like changes are frequent, and odd ones so that forms change. */
const word = fc.constantFrom("a", "b", "c");
const value = fc.oneof({ weight: 4, arbitrary: word }, fc.constantFrom(null, 1, 2));
const item = fc.record({ name: word, value, tags: fc.array(word, { maxLength: 2 }) }, { requiredKeys: [] });
const items = fc.oneof({ weight: 4, arbitrary: fc.array(item, { maxLength: 3 }) }, fc.constant(null), word);
const map = fc.dictionary(word, value, { maxKeys: 3 });
const anything = fc.oneof(
  map,
  fc.dictionary(word, map, { maxKeys: 2 }),
  fc.array(word, { maxLength: 2 }),
  fc.constant(null),
);
const spec = fc.record(
  { list: items, whole: items, atom: anything, more: anything, size: fc.constantFrom(1, 2, null) },
  { requiredKeys: [] },
);
const uid = fc.constantFrom("u-1", "u-2", "u-3", "00000000-0000-0000-0000-000000000000");
const owner = fc.record({ uid, name: word });
const ownerReferences = fc.oneof(
  { weight: 5, arbitrary: owner.map((each) => [each]) },
  fc.uniqueArray(owner, { maxLength: 2, selector: (each) => each.uid }),
);
const content = fc.record(
  {
    metadata: fc.record({ labels: map, ownerReferences }, { requiredKeys: [] }),
    spec,
    status: fc.record({ phase: word }),
  },
  { requiredKeys: ["metadata"] },
);

test("two states that are said to differ as two others did do so", () => {
  const states = fc.tuple(content, content);
  let hits = 0;
  fc.assert(
    fc.property(states, states, fc.boolean(), ([before, after], [otherBefore, otherAfter], isNear) => {
      const known = new KnownComparison(compareObjects({ before, after, schema }));
      expect(known.isOf({ before: cloneJson(before), after: cloneJson(after), schema }) || isOdd(before, after)).toBe(
        true,
      );
      const other = isNear
        ? { before: { ...before, status: otherBefore.status }, after: { ...after, status: otherAfter.status } }
        : { before: otherBefore, after: otherAfter };
      if (!known.isOf({ ...other, schema })) return;
      hits++;
      expect(compareObjects({ ...other, schema })).toEqual(known.comparison);
    }),
    { numRuns: 3_000 },
  );
  expect(hits).toBeGreaterThan(20);
});

/** Values that changed their form, and lists with equal or without keys, are for compareObjects alone. */
function isOdd(before: object, after: object): boolean {
  const texts = [before, after].map((each) => JSON.stringify(each));
  return texts.some((each) => /null|"(?:list|whole|atom|more|tags)":|\[/.test(each));
}

interface Write {
  readonly object: number;
  readonly content: Record<string, unknown>;
  readonly manager: string;
  readonly status: boolean;
  readonly second: number;
}

const write: fc.Arbitrary<Write> = fc.record({
  object: fc.nat(3),
  content,
  manager: fc.constantFrom("x", "y", ""),
  status: fc.boolean(),
  second: fc.nat(3),
});

test("whoever remembers like updates records the same owners as who does not", () => {
  fc.assert(
    fc.property(fc.array(write, { minLength: 2, maxLength: 30 }), (writes) => {
      const pool = new FieldSetPool();
      const known = new KnownUpdates(pool);
      const stored = new Map<number, Draft>();
      for (const each of writes) {
        const old = stored.get(each.object);
        const facts = factsOf(each, old);
        const plain = trackUpdate({ ...facts, next: cloneJson(facts.next) });
        const next = trackUpdate({ ...facts, known });
        expect(next).toEqual(plain);
        const { managedFields } = next.metadata;
        if (managedFields !== undefined) next.metadata.managedFields = [...pool.shared(managedFields)];
        stored.set(each.object, next);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("updates of very many fields are recorded as any other, and not remembered", () => {
  const known = new KnownUpdates(new FieldSetPool());
  const facts = (labels: Record<string, string>): UpdateFacts => ({
    schema,
    old: undefined,
    next: { apiVersion: "v1", kind: "Thing", metadata: { name: "o", labels } },
    manager: "x",
    time: "2026-11-16T08:00:00Z",
    apiVersion: "v1",
    known,
  });
  const labels = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`l${index}`, "x"]));
  const entries = trackUpdate(facts(labels)).metadata.managedFields;
  expect(JSON.stringify(entries)).toContain('"f:l1999":{}');
  const update = { states: { schema, before: {}, after: facts(labels).next }, isNew: true, stored: [], time: "" };
  expect(known.recall({ ...update, writer: "Thing v1  0 x" })).toBeUndefined();
  trackUpdate(facts({ a: "b" }));
  const few = { ...update, states: { ...update.states, after: facts({ a: "c" }).next } };
  expect(known.recall({ ...few, writer: "Thing v1  0 x" })).toHaveLength(1);
});

function factsOf({ content: sent, manager, status, second }: Write, old: Draft | undefined): UpdateFacts {
  const metadata = { name: "o", ...(sent["metadata"] as Record<string, Json>) };
  const next = { ...cloneJson(sent), apiVersion: "v1", kind: "Thing", metadata } as unknown as Draft; // as the server builds it
  const isStatus = status && old !== undefined;
  return {
    schema,
    old,
    next,
    manager,
    time: `2026-11-16T08:00:0${second}Z`,
    apiVersion: "v1",
    ...(isStatus
      ? { subresource: "status", ignored: { "f:spec": {}, "f:metadata": {} } }
      : { ignored: { "f:status": {} } }),
  };
}
