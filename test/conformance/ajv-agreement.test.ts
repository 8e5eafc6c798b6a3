import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SchemaNode } from "#schema/schema-node.ts";
import { validateFields } from "#schema/validate-fields.ts";

// Only keywords that mean the same to JSON Schema and to Kubernetes: no null, no fractions beside integers,
// no formats, no exclusive bounds (draft 4 spells them as Kubernetes does, ajv does not).
const scalar = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom("", "a", "ab", "abcd", "日本"), fc.boolean());
const keys = ["a", "b", "c"] as const;

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 3 }),
  ),
}));

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const leaf = fc.oneof(
  fc.record({
    type: fc.constant("string"),
    minLength: some(fc.nat(2)),
    maxLength: some(fc.nat(3)),
    pattern: some(fc.constantFrom("^a", "b$")),
  }),
  fc.record({
    type: fc.constant("integer"),
    minimum: some(fc.integer({ min: -2, max: 5 })),
    maximum: some(fc.nat(9)),
    multipleOf: some(fc.constantFrom(2, 3)),
  }),
  fc.record({ type: fc.constant("string"), enum: fc.constant(["a", "ab"]) }),
  fc.record({ type: fc.constant("boolean") }),
);
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({
      type: fc.constant("array"),
      items: tie("schema"),
      minItems: some(fc.nat(2)),
      maxItems: some(fc.nat(3)),
    }),
    fc.record({ type: fc.constant("object"), additionalProperties: tie("schema"), maxProperties: some(fc.nat(3)) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom(...keys), tie("schema"), { maxKeys: 3 }),
      required: some(fc.subarray([...keys], { maxLength: 2 })),
      minProperties: some(fc.nat(2)),
    }),
    fc.record({ anyOf: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: leaf }),
  ),
}));

test("a value that JSON Schema accepts has no findings, and one that it refuses has some", () => {
  let refusals = 0;
  fc.assert(
    fc.property(schema, value, (given, candidate) => {
      const node = JSON.parse(JSON.stringify(given)) as SchemaNode;
      const accepts = new Ajv({ strict: false, allErrors: false }).validate(node, candidate);
      const findings = validateFields(candidate, node);
      if (!accepts) refusals++;
      expect(findings.length === 0, JSON.stringify({ node, candidate, findings })).toBe(accepts);
    }),
    { numRuns: 300, seed: 7 },
  );
  expect(refusals).toBeGreaterThan(30);
});
