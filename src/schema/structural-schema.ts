import type { FieldError } from "#base/field-error.ts";
import { fieldErrorMessage, invalid } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import type { ResourceRules } from "./embedded-resources.ts";
import { type RawSchema, rawProperties, says, schemaAt, schemasAt } from "./raw-schema.ts";
import { findIncomplete } from "./schema-completeness.ts";
import { findDefaultErrors } from "./schema-defaults.ts";
import { findInvariantErrors } from "./schema-invariants.ts";
import { findRuleErrors } from "./schema-rules.ts";

/**
 * What is wrong with the schema of a user's CRD, at the paths and in the words of the apiextensions server: it must be
 * structural, its defaults must be valid, and what Kubernetes does not support must not be there.
 */
export function findSchemaErrors(schema: unknown, path: string, embedded?: ResourceRules): FieldError[] {
  if (!isJsonObject(schema)) return [];
  const errors: FieldError[] = [];
  if (says(schema, "nullable")) {
    errors.push({ path: `${path}.nullable`, type: "forbidden", detail: "nullable cannot be true at the root" });
  }
  const unsupported = findUnsupported(schema);
  if (unsupported === undefined) errors.push(...findStructuralErrors(schema, path, embedded));
  errors.push(...findRuleErrors(schema, path));
  // The rules name the place of what is not supported; this is only for what they miss.
  if (errors.length === 0 && unsupported !== undefined) errors.push(invalid(path, "", unsupported));
  return errors;
}

function findStructuralErrors(schema: RawSchema, path: string, embedded: ResourceRules | undefined): FieldError[] {
  const errors = [...findInvariantErrors(schema, path), ...findIncomplete(schema, path)];
  if (errors.length === 0) return findDefaultErrors(schema, path, embedded);
  const texts = new Map(errors.map((error) => [error, fieldErrorMessage(error)]));
  return errors.toSorted((a, b) => (texts.get(a)! < texts.get(b)! ? -1 : 1));
}

/** What cannot be made structural at all. */
function findUnsupported(schema: RawSchema): string | undefined {
  for (const [keyword, name] of unsupportedKeywords) {
    const isThere = says(schema, keyword) || (keyword === "additionalItems" && schema[keyword] === false);
    if (isThere) return `OpenAPIV3Schema '${name}' is not supported`;
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema["items"])) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  for (const child of childrenOf(schema)) {
    const found = findUnsupported(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

const unsupportedKeywords = [
  ["id", "id"],
  ["$schema", "schema"],
  ["$ref", "$ref"],
  ["patternProperties", "patternProperties"],
  ["dependencies", "dependencies"],
  ["additionalItems", "additionalItems"],
  ["definitions", "definitions"],
] as const;

function childrenOf(schema: RawSchema): RawSchema[] {
  const single = ["items", "additionalProperties", "not"]
    .map((keyword) => schemaAt(schema, keyword))
    .filter((child) => child !== undefined);
  const listed = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schemasAt(schema, keyword));
  return [...single, ...listed, ...rawProperties(schema).map(([, child]) => child)];
}
