import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fieldErrorBody, fieldErrorMessage } from "#base/field-error.ts";
import { cloneJson, type Json } from "#base/json.ts";
import { applyDefaults, dropUnwantedNulls } from "#schema/default-fields.ts";
import { createPatternCache } from "#schema/pattern-cache.ts";
import { pruneUnknown } from "#schema/prune-fields.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { findSchemaErrors } from "#schema/structural-schema.ts";
import { validateFields, validateFieldsUpdate } from "#schema/validate-fields.ts";

interface Case {
  readonly op: "validate" | "update" | "prune" | "default" | "nulls";
  readonly schema: SchemaNode;
  readonly value: Json;
  readonly old?: Json;
  readonly answer: unknown;
}

const patterns = createPatternCache();

/**
 * Where we find fault and Kubernetes by accident does not: a list in place of a string that has a format, and in
 * defaults a wrong type for an int-or-string and duplicates in sets and maps.
 */
const stricter = /must be of type string: "array"$|must be of type integer,string: "|: Duplicate value: .*$/;

/** Asks our walkers what Kubernetes was asked; findings sorted, as Kubernetes' own order is random. */
const ask: Readonly<Record<Case["op"], (given: Case) => unknown>> = {
  validate: ({ value, schema }) => lines(validateFields(value, schema, { patterns })),
  update: ({ value, schema, old }) => lines(validateFieldsUpdate(value, schema, { old, patterns })),
  prune: ({ value, schema }) => {
    const draft = cloneJson(value);
    const unknown = pruneUnknown(draft, schema, { onUnknown: "drop" }).toSorted();
    return { value: draft, unknown };
  },
  default: ({ value, schema }) => {
    const draft = cloneJson(value);
    applyDefaults(draft, schema);
    return { value: draft };
  },
  nulls: ({ value, schema }) => {
    const draft = cloneJson(value);
    dropUnwantedNulls(draft, schema);
    return { value: draft };
  },
};

const cases: readonly Case[] = read("schema-answers.json");
for (const op of Object.keys(ask) as Case["op"][]) {
  const chosen = cases.filter((given) => given.op === op);
  test(`${op}: Kubernetes' answers to ${chosen.length} random schemas and values are ours`, () => {
    expect(chosen.length).toBeGreaterThan(50);
    for (const given of chosen) expect(ask[op](given), JSON.stringify(given)).toEqual(given.answer);
  });
}

test("structural schemas: Kubernetes' findings in faulty definitions are ours", () => {
  const faulty: readonly { schema: Json; errors: readonly string[] }[] = read("structural-answers.json");
  expect(faulty.length).toBeGreaterThan(150);
  for (const { schema, errors } of faulty) {
    const found = findSchemaErrors(schema, "spec.validation.openAPIV3Schema").map(fieldErrorMessage);
    const comparable = [...new Set(found)].filter((line) => !stricter.test(line));
    expect(comparable.toSorted(), JSON.stringify(schema)).toEqual(errors);
  }
});

function lines(errors: ReturnType<typeof validateFields>): string[] {
  const text = errors.map((error) => `${error.path}: ${fieldErrorBody(error)}`);
  return text.filter((line) => !line.endsWith('must be of type string: "array"')).toSorted();
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")) as T;
}
