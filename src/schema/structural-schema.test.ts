import { expect, test } from "vitest";
import { fieldErrorMessage } from "#base/field-error.ts";
import { findSchemaErrors } from "./structural-schema.ts";

/** A schema for `spec`, and what the apiextensions server says of it; the common path is left out. */
const cases: Record<string, { spec: unknown; says: readonly string[] }> = {
  "a structural schema has no faults": {
    spec: {
      type: "object",
      properties: {
        a: { type: "integer", default: 1 },
        b: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      },
    },
    says: [],
  },
  "every field has a type": {
    spec: {},
    says: ["properties[spec].type: Required value: must not be empty for specified object fields"],
  },
  "references are not supported": {
    spec: { type: "object", $ref: "#/x" },
    says: ["properties[spec].$ref: Forbidden: $ref is not supported"],
  },
  "a list says what its items are": {
    spec: { type: "array" },
    says: ["properties[spec].items: Required value: must be specified"],
  },
  "an object is a struct or a map, not both": {
    spec: { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "string" } },
    says: [
      "properties[spec].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
    ],
  },
  "a type is one of six": {
    spec: { type: "int" },
    says: [
      'properties[spec].type: Unsupported value: "int": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  },
  "a default fits its schema": {
    spec: { type: "integer", default: "x" },
    says: ['properties[spec].default: Invalid value: "string":  in body must be of type integer: "string"'],
  },
  "a default has no unknown fields": {
    spec: { type: "object", default: { a: 1 } },
    says: ['properties[spec].default: Invalid value: {"a":1}: must not have unknown fields'],
  },
  "a list that is a map has keys, and they are always there": {
    spec: {
      type: "array",
      items: { type: "object", properties: { k: { type: "string" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    },
    says: [
      "properties[spec].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    ],
  },
  "types do not stand below anyOf": {
    spec: { type: "object", anyOf: [{ type: "string" }] },
    says: ["properties[spec].anyOf[0].type: Forbidden: must be empty to be structural"],
  },
  "a pattern is a regular expression of RE2": {
    spec: { type: "string", pattern: "(?=a)" },
    says: [
      'properties[spec].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
  },
};
for (const [name, { spec, says }] of Object.entries(cases)) {
  test(name, () => {
    const found = findSchemaErrors({ type: "object", properties: { spec } }, "schema").map(fieldErrorMessage);
    expect(found).toEqual(says.map((line) => `schema.${line}`));
  });
}

test("a schema that is no object is somebody else's finding", () => {
  expect(findSchemaErrors("x", "schema")).toEqual([]);
});
