import { type FieldError, invalid } from "#base/field-error.ts";
import { cloneJson } from "#base/json.ts";
import { pruneUnknown } from "./prune-fields.ts";
import { type RawSchema, rawProperties, schemaAt } from "./raw-schema.ts";
import type { SchemaNode } from "./schema-node.ts";
import { validateFields } from "./validate-fields.ts";

/** Defaults that their own schema would not accept as they stand. Only for schemas that are structural. */
export function findDefaultErrors(schema: RawSchema, path: string): FieldError[] {
  const errors = ownErrors(schema, path);
  const items = schemaAt(schema, "items");
  if (items !== undefined) errors.push(...findDefaultErrors(items, `${path}.items`));
  for (const [name, child] of rawProperties(schema)) {
    errors.push(...findDefaultErrors(child, `${path}.properties[${name}]`));
  }
  return errors;
}

function ownErrors(schema: RawSchema, path: string): FieldError[] {
  const value = schema["default"];
  if (value === undefined || value === null) return [];
  const place = `${path}.default`;
  const node = schema as SchemaNode; // structural: checked before
  const root = schema["x-kubernetes-embedded-resource"] === true ? "resource" : "value";
  const unknown = pruneUnknown(cloneJson(value), node, { onUnknown: "keep", root });
  if (unknown.length > 0)
    return [invalid(place, value, "must not have unknown fields"), ...valueErrors(value, node, place)];
  return valueErrors(value, node, place);
}

/** The path of a finding in a default starts at the default, in its words it does not. */
function valueErrors(value: unknown, node: SchemaNode, place: string): FieldError[] {
  return validateFields(value, node).map((error) => ({
    ...error,
    path: error.path === "" ? place : `${place}.${error.path}`,
  }));
}
