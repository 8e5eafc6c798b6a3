import { describe, expect, test } from "vitest";
import { parseJson } from "#base/parse-json.ts";
import { applyMergePatch } from "./merge-patch.ts";

describe("a merge patch", () => {
  const rows: Record<string, { document: object; patch: unknown; expected: unknown }> = {
    "sets, keeps and deletes members": {
      document: { a: 1, b: { c: 2, d: 3 } },
      patch: { a: null, b: { c: 4 }, e: 5 },
      expected: { b: { c: 4, d: 3 }, e: 5 },
    },
    "replaces lists whole": { document: { a: [1, 2] }, patch: { a: [3] }, expected: { a: [3] } },
    "drops nulls inside what it sets whole": {
      document: {},
      patch: { a: { b: null, c: [null, { d: null }] } },
      expected: { a: { c: [null, {}] } },
    },
    "turns a scalar into an object": { document: { a: 1 }, patch: { a: { b: 2 } }, expected: { a: { b: 2 } } },
  };
  test.each(Object.entries(rows))("%s", (_, { document, patch, expected }) => {
    const before = JSON.stringify([document, patch]);
    expect(applyMergePatch(document, patch)).toEqual({ ok: true, value: expected });
    expect(JSON.stringify([document, patch])).toBe(before);
  });

  test.each([
    ["a list", []],
    ["a string", "x"],
    ["null", null],
  ])("%s is refused", (_, patch) => {
    expect(applyMergePatch({}, patch)).toMatchObject({ ok: false, why: "badRequest" });
  });

  test("cannot reach a prototype", () => {
    const patch = parseJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}').value;
    const result = applyMergePatch({ a: 1 }, patch);
    expect(result.ok && Object.keys(result.value)).toEqual(["a", "__proto__", "constructor"]);
    expect(result.ok && Object.getPrototypeOf(result.value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("polluted");
  });
});
