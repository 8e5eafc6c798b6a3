import { type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { jsonEquals } from "#base/json.ts";
import { compilePattern } from "./pattern-cache.ts";
import { type RawSchema, rawProperties, says, schemaAt, schemasAt, textAt } from "./raw-schema.ts";

type Level = "root" | "item" | "field";

/** Where a schema breaks the form of a structural one. */
export function findInvariantErrors(schema: RawSchema, path: string): FieldError[] {
  return structuralErrors(schema, path, "root");
}

const preserve = "x-kubernetes-preserve-unknown-fields";
const embedded = "x-kubernetes-embedded-resource";
const intOrString = "x-kubernetes-int-or-string";

function structuralErrors(schema: RawSchema, path: string, level: Level): FieldError[] {
  const errors: FieldError[] = [];
  const items = schemaAt(schema, "items");
  if (textAt(schema, "type") === "array" && items === undefined)
    errors.push(required(`${path}.items`, "must be specified"));
  if (items !== undefined) errors.push(...structuralErrors(items, `${path}.items`, "item"));
  for (const [name, child] of rawProperties(schema)) {
    errors.push(...structuralErrors(child, `${path}.properties[${name}]`, "field"));
  }
  errors.push(...additionalErrors(schema, path, level));
  if (says(schema, intOrString) && says(schema, preserve)) {
    errors.push(invalid(`${path}.${preserve}`, true, `must be false if ${intOrString} is true`));
  }
  if (says(schema, intOrString) && says(schema, embedded)) {
    errors.push(invalid(`${path}.${embedded}`, true, `must be false if ${intOrString} is true`));
  }
  errors.push(...valueErrors(schema, path, exceptionOf(schema)), ...typeErrors(schema, path, level));
  errors.push(...metaErrors(schema, path, level));
  if (says(schema, embedded) && !says(schema, preserve) && rawProperties(schema).length === 0) {
    const detail = `must not be empty if ${embedded} is true without ${preserve}`;
    errors.push(required(`${path}.properties`, detail));
  }
  return errors;
}

function additionalErrors(schema: RawSchema, path: string, level: Level): FieldError[] {
  const place = `${path}.additionalProperties`;
  if (schema["additionalProperties"] === undefined || schema["additionalProperties"] === null) return [];
  const errors: FieldError[] = [];
  if (level === "root") errors.push(forbidden(place, "must not be used at the root"));
  const additional = schemaAt(schema, "additionalProperties");
  if (additional !== undefined) errors.push(...structuralErrors(additional, place, "field"));
  if (says(schema, embedded)) errors.push(forbidden(place, `must not be used if ${embedded} is set`));
  return errors;
}

const emptyTypeDetails: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function typeErrors(schema: RawSchema, path: string, level: Level): FieldError[] {
  const type = textAt(schema, "type");
  const place = `${path}.type`;
  const errors: FieldError[] = [];
  if (says(schema, embedded) && type !== "object") {
    const detail = `must be object if ${embedded} is true`;
    errors.push(type === "" ? required(place, detail) : invalid(place, type, detail));
  } else if (type === "" && !says(schema, intOrString) && !says(schema, preserve)) {
    errors.push(required(place, emptyTypeDetails[level]));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(place, type, "must be object at the root"));
  }
  return errors;
}

/** apiVersion, kind and metadata of a resource are what they are; a schema may only restrict names. */
function metaErrors(schema: RawSchema, path: string, level: Level): FieldError[] {
  const isResource = level === "root" || says(schema, embedded);
  const fields = new Map(rawProperties(schema));
  const errors: FieldError[] = [];
  for (const name of ["kind", "apiVersion"]) {
    const field = fields.get(name);
    if (!isResource || field === undefined || textAt(field, "type") === "string") continue;
    errors.push(invalid(`${path}.properties[${name}].type`, textAt(field, "type"), "must be string"));
  }
  const metadata = fields.get("metadata");
  if (metadata === undefined) return errors;
  const place = `${path}.properties[metadata]`;
  if (isResource && textAt(metadata, "type") !== "object") {
    errors.push(invalid(`${place}.type`, textAt(metadata, "type"), "must be object"));
  }
  if (level === "root" && !restrictsOnlyNames(metadata)) {
    const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(forbidden(place, detail));
  }
  return errors;
}

function restrictsOnlyNames(metadata: RawSchema): boolean {
  const names = rawProperties(metadata).map(([name]) => name);
  if (!names.every((name) => name === "name" || name === "generateName")) return false;
  const allowed = new Set(["type", "properties", "default"]);
  return Object.keys(metadata).every((keyword) => allowed.has(keyword) || !says(metadata, keyword));
}

/** The two places where Kubernetes tolerates types inside anyOf: an int-or-string spelled out. */
interface Exception {
  readonly anyOf?: boolean;
  readonly firstAllOf?: boolean;
}

const spelledOut = [{ type: "integer" }, { type: "string" }];

function exceptionOf(schema: RawSchema): Exception {
  const first = schemasAt(schema, "allOf")[0];
  return {
    anyOf: jsonEquals(schema["anyOf"], spelledOut),
    firstAllOf: first !== undefined && jsonEquals(first["anyOf"], spelledOut),
  };
}

function valueErrors(schema: RawSchema, path: string, exception: Exception): FieldError[] {
  const errors: FieldError[] = [];
  for (const keyword of ["anyOf", "allOf", "oneOf"]) {
    if (keyword === "anyOf" && exception.anyOf) continue;
    for (const [index, clause] of schemasAt(schema, keyword).entries()) {
      const isSpelledOut = keyword === "allOf" && index === 0 && exception.firstAllOf === true;
      errors.push(...nestedErrors(clause, `${path}.${keyword}[${index}]`, { anyOf: isSpelledOut }));
    }
  }
  const not = schemaAt(schema, "not");
  if (not !== undefined) errors.push(...nestedErrors(not, `${path}.not`, {}));
  const pattern = textAt(schema, "pattern");
  const compiled = pattern === "" ? undefined : compilePattern(pattern);
  if (compiled !== undefined && "broken" in compiled) {
    const detail = `must be a valid regular expression, but isn't: ${compiled.broken}`;
    errors.push(invalid(`${path}.pattern`, pattern, detail));
  }
  return errors;
}

/** What may not stand below allOf, anyOf, oneOf and not, and how Kubernetes asks for its absence. */
const nestedForbidden: readonly (readonly [keyword: string, state: string])[] = [
  ["type", "empty"],
  ["additionalProperties", "undefined"],
  ["default", "undefined"],
  ["title", "empty"],
  ["description", "empty"],
  ["nullable", "false"],
  [preserve, "false"],
  [embedded, "false"],
  [intOrString, "false"],
  ["x-kubernetes-list-map-keys", "empty"],
  ["x-kubernetes-list-type", "undefined"],
  ["x-kubernetes-map-type", "undefined"],
  ["x-kubernetes-validations", "empty"],
];

function nestedErrors(schema: RawSchema, path: string, exception: Exception): FieldError[] {
  const errors = valueErrors(schema, path, exception);
  const items = schemaAt(schema, "items");
  if (items !== undefined) errors.push(...nestedErrors(items, `${path}.items`, {}));
  for (const [name, child] of rawProperties(schema)) {
    errors.push(...nestedErrors(child, `${path}.properties[${name}]`, {}));
    if (name === "metadata") {
      errors.push(forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context"));
    }
  }
  for (const [keyword, state] of nestedForbidden) {
    if (isSet(schema, keyword)) errors.push(forbidden(`${path}.${keyword}`, `must be ${state} to be structural`));
  }
  return errors;
}

function isSet(schema: RawSchema, keyword: string): boolean {
  const value = schema[keyword];
  if (keyword === "default") return value !== undefined && value !== null;
  if (keyword === "additionalProperties") return value !== undefined && value !== null && value !== false;
  return says(schema, keyword);
}
