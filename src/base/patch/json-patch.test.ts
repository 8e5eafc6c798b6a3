import { describe, expect, test } from "vitest";
import { parseJson } from "#base/parse-json.ts";
import { applyJsonPatch, maxJsonPatchOperations, patchJson } from "./json-patch.ts";

const document = { metadata: { labels: { a: "1" } }, list: [1, 2, 3] };

describe("what the RFC leaves open or forbids, as kube-apiserver does it", () => {
  const rows: Record<string, { patch: unknown; expected: unknown }> = {
    "replace sets a missing member": {
      patch: [{ op: "replace", path: "/metadata/x", value: 1 }],
      expected: { metadata: { labels: { a: "1" }, x: 1 }, list: [1, 2, 3] },
    },
    "copy of a missing member sets null": {
      patch: [{ op: "copy", from: "/nope", path: "/x" }],
      expected: { ...document, x: null },
    },
    "a negative index counts from the end": {
      patch: [{ op: "remove", path: "/list/-1" }],
      expected: { ...document, list: [1, 2] },
    },
    "a missing member tests as null": { patch: [{ op: "test", path: "/nope", value: null }], expected: document },
    "no operation changes nothing": { patch: [], expected: document },
  };
  test.each(Object.entries(rows))("%s", (_, { patch, expected }) => {
    expect(applyJsonPatch(document, patch)).toEqual({ ok: true, value: expected });
  });
});

describe("refusals", () => {
  const rows: Record<string, { patch: unknown; why: string; message: string }> = {
    "an object is no patch": {
      patch: {},
      why: "badRequest",
      message: "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    },
    "a string is no operation": {
      patch: ["add"],
      why: "badRequest",
      message: "error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp",
    },
    "a missing member cannot be removed": {
      patch: [{ op: "remove", path: "/metadata/x" }],
      why: "unprocessable",
      message: "error in remove for path: '/metadata/x': Unable to remove nonexistent key: x: missing value",
    },
    "a failed test": {
      patch: [{ op: "test", path: "/metadata/labels/a", value: "2" }],
      why: "unprocessable",
      message: "testing value /metadata/labels/a failed: test failed",
    },
    "an operation nobody knows": { patch: [null], why: "unprocessable", message: "Unexpected kind: unknown" },
  };
  test.each(Object.entries(rows))("%s", (_, { patch, why, message }) => {
    expect(applyJsonPatch(document, patch)).toEqual({ ok: false, why, message });
  });

  test("more operations than allowed", () => {
    const patch = new Array(maxJsonPatchOperations + 1).fill({ op: "test", path: "/nope" });
    expect(applyJsonPatch(document, patch)).toMatchObject({ ok: false, why: "tooLarge" });
    expect(applyJsonPatch(document, patch.slice(1))).toMatchObject({ ok: true });
  });

  test("copies that double each time are stopped at three megabytes", () => {
    const patch = new Array(40).fill({ op: "copy", from: "/list", path: "/list/0" });
    expect(applyJsonPatch(document, patch)).toMatchObject({
      ok: false,
      message: expect.stringContaining("exceeding the limit 3145728"),
    });
  });
});

test("the document and the patch stay as they were", () => {
  const value = { b: "2" };
  const patch = [
    { op: "add", path: "/metadata/labels", value },
    { op: "add", path: "/metadata/labels/c", value: "3" },
    { op: "remove", path: "/list/0" },
  ];
  const before = JSON.stringify([document, patch]);
  expect(applyJsonPatch(document, patch)).toMatchObject({ ok: true });
  expect(JSON.stringify([document, patch])).toBe(before);
});

test("no path reaches a prototype", () => {
  const patch = parseJson(
    '[{"op":"add","path":"/__proto__","value":{"polluted":true}},{"op":"add","path":"/constructor/prototype/polluted","value":1}]',
  ).value as unknown[];
  const first = applyJsonPatch({}, patch.slice(0, 1));
  expect(first.ok && Object.hasOwn(first.value, "__proto__")).toBe(true);
  expect(first.ok && Object.getPrototypeOf(first.value)).toBe(Object.prototype);
  expect(applyJsonPatch({}, patch.slice(1))).toMatchObject({ ok: false });
  expect({}).not.toHaveProperty("polluted");
});

test("numbers keep their spelling", () => {
  const numbers = parseJson('{"big":9007199254740993,"one":1.0}').value as object;
  const patch = parseJson(
    '[{"op":"test","path":"/big","value":9007199254740993},{"op":"copy","from":"/one","path":"/two"}]',
  );
  expect(applyJsonPatch(numbers, patch.value)).toEqual({
    ok: true,
    value: parseJson('{"big":9007199254740993,"one":1.0,"two":1.0}').value,
  });
});

describe("what Karmada's version of the library does otherwise", () => {
  const attempt = (patch: readonly object[], from: object = document) => patchJson(from, { patch, dialect: "karmada" });

  test.each([
    ["replace of a missing member", { op: "replace", path: "/metadata/x", value: 1 }],
    ["copy of a missing member", { op: "copy", from: "/nope", path: "/x" }],
    ["a scalar as the document", { op: "replace", path: "", value: 1 }],
  ])("%s fails", (_name, operation) => {
    expect(attempt([operation])).toMatchObject({ ok: false, why: "unprocessable" });
  });

  test("add at the root replaces the document, which may be a list", () => {
    expect(attempt([{ op: "add", path: "", value: { a: 1 } }])).toEqual({ ok: true, value: { a: 1 } });
    expect(attempt([{ op: "remove", path: "/1" }], [1, 2, 3])).toEqual({ ok: true, value: [1, 3] });
  });
});
