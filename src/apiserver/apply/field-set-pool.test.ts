import { expect, test } from "vitest";
import { FieldSetPool } from "./field-set-pool.ts";

const entry = (manager: string, fields: object) => ({ manager, fieldsType: "FieldsV1", fieldsV1: fields as never });

test("equal sets of different objects become one, and nothing else changes", () => {
  const pool = new FieldSetPool();
  const [first] = pool.shared([entry("a", { "f:data": { "f:key": {} } })]);
  const [second, other] = pool.shared([
    entry("b", { "f:data": { "f:key": {} } }),
    entry("b", { "f:data": { "f:other": {} } }),
  ]);
  expect(second?.fieldsV1).toBe(first?.fieldsV1);
  expect(second).toEqual(entry("b", { "f:data": { "f:key": {} } }));
  expect(other).toEqual(entry("b", { "f:data": { "f:other": {} } }));
});

test("entries whose sets are shared already are the same entries", () => {
  const pool = new FieldSetPool();
  const entries = pool.shared([entry("a", { "f:data": {} })]);
  expect(pool.shared(entries)[0]).toBe(entries[0]);
});

test("an entry without a set stays as it is", () => {
  expect(new FieldSetPool().shared([{ manager: "a" }])).toEqual([{ manager: "a" }]);
});

test("sets that differ in the owner's uid share all the rest", () => {
  const pool = new FieldSetPool();
  const owned = (uid: string) => ({
    "f:metadata": { "f:ownerReferences": { ".": {}, [`k:{"uid":"${uid}"}`]: {} }, "f:labels": { "f:app": {} } },
    "f:spec": { "f:replicas": {} },
  });
  const [first] = pool.shared([entry("a", owned("1"))]);
  const [second] = pool.shared([entry("a", owned("2"))]);
  expect(first?.fieldsV1).toEqual(owned("1"));
  expect(second?.fieldsV1).toEqual(owned("2"));
  const [one, two] = [first, second].map((each) => each?.fieldsV1 as ReturnType<typeof owned>);
  expect(two?.["f:spec"]).toBe(one?.["f:spec"]);
  expect(two?.["f:metadata"]["f:labels"]).toBe(one?.["f:metadata"]["f:labels"]);
});
