import { isJsonObject } from "#base/json.ts";
import { withSortedMembers } from "#base/sorted-json.ts";
import type { RawSchema } from "./raw-schema.ts";

/** A schema as Kubernetes prints it in messages: its own Go form, with every field in the order of the struct. */
export function goSchema(schema: RawSchema): Record<string, unknown> {
  const printed: Record<string, unknown> = {};
  for (const [name, keyword, kind] of fields) printed[name] = printers[kind](schema[keyword]);
  return printed;
}

/** `items` in that form: one schema, or several. */
export function goItems(items: unknown): unknown {
  return Array.isArray(items)
    ? { Schema: null, JSONSchemas: items.map((each) => goSchema(each)) }
    : { Schema: nested(items), JSONSchemas: null };
}

type Kind = "text" | "flag" | "value" | "schema" | "schemas" | "map" | "items" | "orBool" | "dependencies" | "docs";

const fields: readonly (readonly [name: string, keyword: string, kind: Kind])[] = [
  ["ID", "id", "text"],
  ["Schema", "$schema", "text"],
  ["Ref", "$ref", "value"],
  ["Description", "description", "text"],
  ["Type", "type", "text"],
  ["Nullable", "nullable", "flag"],
  ["Format", "format", "text"],
  ["Title", "title", "text"],
  ["Default", "default", "value"],
  ["Maximum", "maximum", "value"],
  ["ExclusiveMaximum", "exclusiveMaximum", "flag"],
  ["Minimum", "minimum", "value"],
  ["ExclusiveMinimum", "exclusiveMinimum", "flag"],
  ["MaxLength", "maxLength", "value"],
  ["MinLength", "minLength", "value"],
  ["Pattern", "pattern", "text"],
  ["MaxItems", "maxItems", "value"],
  ["MinItems", "minItems", "value"],
  ["UniqueItems", "uniqueItems", "flag"],
  ["MultipleOf", "multipleOf", "value"],
  ["Enum", "enum", "value"],
  ["MaxProperties", "maxProperties", "value"],
  ["MinProperties", "minProperties", "value"],
  ["Required", "required", "value"],
  ["Items", "items", "items"],
  ["AllOf", "allOf", "schemas"],
  ["OneOf", "oneOf", "schemas"],
  ["AnyOf", "anyOf", "schemas"],
  ["Not", "not", "schema"],
  ["Properties", "properties", "map"],
  ["AdditionalProperties", "additionalProperties", "orBool"],
  ["PatternProperties", "patternProperties", "map"],
  ["Dependencies", "dependencies", "dependencies"],
  ["AdditionalItems", "additionalItems", "orBool"],
  ["Definitions", "definitions", "map"],
  ["ExternalDocs", "externalDocs", "docs"],
  ["Example", "example", "value"],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "value"],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", "flag"],
  ["XIntOrString", "x-kubernetes-int-or-string", "flag"],
  ["XListMapKeys", "x-kubernetes-list-map-keys", "value"],
  ["XListType", "x-kubernetes-list-type", "value"],
  ["XMapType", "x-kubernetes-map-type", "value"],
  ["XValidations", "x-kubernetes-validations", "value"],
];

const printers: Readonly<Record<Kind, (value: unknown) => unknown>> = {
  text: (value) => value ?? "",
  flag: (value) => value ?? false,
  value: (value) => withSortedMembers(value ?? null),
  schema: nested,
  schemas: (value) => (Array.isArray(value) ? value.map(nested) : null),
  map: (value) => (isJsonObject(value) ? mapped(value, nested) : null),
  items: (value) => (value === undefined || value === null ? null : goItems(value)),
  orBool: (value) => {
    if (value === undefined || value === null) return null;
    return { Allows: value !== false, Schema: nested(value) };
  },
  dependencies: (value) =>
    isJsonObject(value)
      ? mapped(value, (each) => ({ Schema: nested(each), Property: Array.isArray(each) ? each : null }))
      : null,
  docs: (value) => (isJsonObject(value) ? { Description: value["description"] ?? "", URL: value["url"] ?? "" } : null),
};

function nested(value: unknown): unknown {
  return isJsonObject(value) ? goSchema(value) : null;
}

function mapped(value: Record<string, unknown>, print: (each: unknown) => unknown): unknown {
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, print(each)]),
  );
}
