import { type FieldError, forbidden, invalid, notSupported, required } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { type RawSchema, rawProperties, says, schemaAt, schemasAt, textAt } from "./raw-schema.ts";
import { findListRuleErrors } from "./schema-list-rules.ts";

/** What Kubernetes does not support in a CRD's schema, or only in certain places. */
export function findRuleErrors(schema: RawSchema, path: string): FieldError[] {
  return ruleErrors(schema, path, { isRoot: true });
}

interface Surroundings {
  readonly isRoot?: true;
  /** Below apiVersion, kind or metadata of a resource. */
  readonly insideMeta?: true;
  /** Why a default may not stand here. */
  readonly noDefaults?: string;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];
const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];
const embedded = "x-kubernetes-embedded-resource";

function ruleErrors(schema: RawSchema, path: string, around: Surroundings): FieldError[] {
  const errors = keywordErrors(schema, path, around);
  const { isRoot: _, ...inner } = around;
  errors.push(...additionalErrors(schema, path, inner));
  for (const [name, child] of rawProperties(schema)) {
    errors.push(...ruleErrors(child, `${path}.properties[${name}]`, fieldSurroundings(schema, name, around)));
  }
  const not = schemaAt(schema, "not");
  if (not !== undefined) errors.push(...ruleErrors(not, `${path}.not`, inner));
  for (const keyword of ["allOf", "oneOf", "anyOf"]) {
    for (const [index, clause] of schemasAt(schema, keyword).entries()) {
      errors.push(...ruleErrors(clause, `${path}.${keyword}[${index}]`, inner));
    }
  }
  const items = schemaAt(schema, "items");
  if (items !== undefined) errors.push(...ruleErrors(items, `${path}.items`, inner));
  errors.push(...mapTypeErrors(schema, path), ...findListRuleErrors(schema, path));
  return errors;
}

function keywordErrors(schema: RawSchema, path: string, around: Surroundings): FieldError[] {
  const errors: FieldError[] = [];
  const type = textAt(schema, "type");
  if (type !== "" && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
  if (schema["default"] !== undefined && around.noDefaults !== undefined) {
    errors.push(forbidden(`${path}.default`, `must not be set ${around.noDefaults}`));
  }
  for (const keyword of unsupported) {
    const isThere = says(schema, keyword) || (keyword === "additionalItems" && schema[keyword] === false);
    if (isThere) errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  if (type === "null") {
    errors.push(forbidden(`${path}.type`, "type cannot be set to null, use nullable as an alternative"));
  }
  if (Array.isArray(schema["items"])) {
    errors.push(forbidden(`${path}.items`, "items must be a schema object and not an array"));
  }
  if (around.insideMeta && says(schema, embedded)) {
    errors.push(forbidden(`${path}.${embedded}`, "must not be used inside of resource meta"));
  }
  if (says(schema, "uniqueItems")) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  }
  return errors;
}

function additionalErrors(schema: RawSchema, path: string, around: Surroundings): FieldError[] {
  const additional = schema["additionalProperties"];
  if (additional === undefined || additional === null) return [];
  const place = `${path}.additionalProperties`;
  const errors: FieldError[] = [];
  if (rawProperties(schema).length > 0 && additional !== true) {
    errors.push(forbidden(place, "additionalProperties and properties are mutual exclusive"));
  }
  if (!isJsonObject(additional)) return errors;
  const inside: Surroundings = around.insideMeta
    ? { ...around, noDefaults: "inside additionalProperties applying to object metadata" }
    : around;
  return [...errors, ...ruleErrors(additional, place, inside)];
}

function fieldSurroundings(schema: RawSchema, name: string, around: Surroundings): Surroundings {
  const { isRoot, ...inner } = around;
  const isMetaField = name === "metadata" || name === "kind" || name === "apiVersion";
  if (!isMetaField || !(isRoot || says(schema, embedded))) return inner;
  return { ...inner, insideMeta: true, ...(isRoot && { noDefaults: `in top-level ${name}` }) };
}

function mapTypeErrors(schema: RawSchema, path: string): FieldError[] {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined || mapType === null) return [];
  const errors: FieldError[] = [];
  const type = textAt(schema, "type");
  if (type !== "object") {
    const detail = "must be object if x-kubernetes-map-type is specified";
    errors.push(type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
  }
  if (mapType !== "atomic" && mapType !== "granular") {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  }
  return errors;
}
