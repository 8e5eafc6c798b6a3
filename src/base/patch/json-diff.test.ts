import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "#base/json.ts";
import { diffJson } from "./json-diff.ts";
import { applyJsonPatch } from "./json-patch.ts";

test("what is equal needs no operation", () => expect(diffJson({ a: [1], b: null }, { b: null, a: [1] })).toEqual([]));

test("members are added, replaced and removed where they are", () => {
  expect(diffJson({ a: { b: 1, c: [1], "d/e~": 1 } }, { a: { b: 2, c: [1, 2], f: {} } })).toEqual([
    { op: "replace", path: "/a/b", value: 2 },
    { op: "replace", path: "/a/c", value: [1, 2] },
    { op: "remove", path: "/a/d~1e~0" },
    { op: "add", path: "/a/f", value: {} },
  ]);
});

test("the operations make one of any two objects the other", () => {
  const object = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    .map((each) => JSON.parse(JSON.stringify(each)) as JsonObject);
  fc.assert(
    fc.property(object, object, (before, after) => {
      const result = applyJsonPatch(before, diffJson(before, after));
      expect(result.ok && result.value).toEqual(after);
    }),
  );
});
