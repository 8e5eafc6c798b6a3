import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject, RawNumber, stringifyJson } from "#base/json.ts";
import { jsonHash } from "./json-hash.ts";

const names = fc.oneof(
  fc.string(),
  fc.nat().map(String),
  fc.constantFrom("__proto__", "4294967294", "4294967295", "01"),
);
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(new RawNumber("1.0"))),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(names, fc.option(tie("value"), { nil: undefined }))).map((all) => Object.fromEntries(all)),
  ),
}));

/** As members keep them: of a copy with its members in order. */
function hashOfCopy(value: unknown): string {
  return createHash("sha256")
    .update(stringifyJson(ordered(value)))
    .digest("hex")
    .slice(0, 32);
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, ordered(each)]));
}

test("the hash is that of a copy whose members are in order, whatever the value", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(jsonHash(value)).toBe(hashOfCopy(value));
    }),
    { numRuns: 2_000 },
  );
});

test("the hash does not change: members keep those of older versions", () => {
  const deployment = {
    kind: "Deployment",
    apiVersion: "apps/v1",
    spec: { replicas: 2, template: { spec: { b: [1, "x"], a: null } } },
  };
  expect(jsonHash(deployment)).toBe("b8922e7befdc8be321ea7468b8b9159e");
});
