import { type FieldError, forbidden, invalid, notSupported, required } from "#base/field-error.ts";
import { goItems } from "./go-schema.ts";
import { type RawSchema, rawProperties, says, schemaAt, textAt, textsAt } from "./raw-schema.ts";

const listTypes = ["atomic", "set", "map"];
const listTypeKey = "x-kubernetes-list-type";
const mapKeysKey = "x-kubernetes-list-map-keys";

/** What is wrong with a list's type and keys. */
export function findListRuleErrors(schema: RawSchema, path: string): FieldError[] {
  const listType = schema[listTypeKey];
  const keys = textsAt(schema, mapKeysKey);
  const errors: FieldError[] = [];
  if (typeof listType === "string") errors.push(...listTypeErrors(schema, path, listType));
  if (keys.length > 0 && listType !== "map") {
    const detail = `must be map if ${mapKeysKey} is non-empty`;
    const place = `${path}.${listTypeKey}`;
    errors.push(typeof listType === "string" ? invalid(place, listType, detail) : required(place, detail));
  }
  if (listType === "map") errors.push(...mapErrors(schema, path, keys));
  if (listType === "map" || listType === "set") errors.push(...nullableErrors(schema, path, listType));
  return errors;
}

function listTypeErrors(schema: RawSchema, path: string, listType: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = textAt(schema, "type");
  const items = schemaAt(schema, "items");
  if (type !== "array") {
    const detail = `must be array if ${listTypeKey} is specified`;
    errors.push(type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
  } else if (listType === "set" && items !== undefined) {
    errors.push(...setItemErrors(items, `${path}.items`));
  }
  if (!listTypes.includes(listType)) errors.push(notSupported(`${path}.${listTypeKey}`, listType, listTypes));
  return errors;
}

function setItemErrors(items: RawSchema, path: string): FieldError[] {
  const detail = `must be atomic as item of a list with ${listTypeKey}=set`;
  const listType = items[listTypeKey] ?? null;
  if (textAt(items, "type") === "array" && listType !== null && listType !== "atomic") {
    return [invalid(`${path}.${listTypeKey}`, listType, detail)];
  }
  if (textAt(items, "type") === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    return [invalid(`${path}.x-kubernetes-map-type`, listType, detail)];
  }
  return [];
}

function mapErrors(schema: RawSchema, path: string, keys: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const items = schemaAt(schema, "items");
  if (keys.length === 0) errors.push(required(`${path}.${mapKeysKey}`, `must not be empty if ${listTypeKey} is map`));
  if (items === undefined) {
    if (!Array.isArray(schema["items"])) {
      return [...errors, required(`${path}.items`, `must have a schema if ${listTypeKey} is map`)];
    }
    const detail = `must only have a single schema if ${listTypeKey} is map`;
    return [...errors, invalid(`${path}.items`, goItems(schema["items"]), detail)];
  }
  const itemType = textAt(items, "type");
  if (itemType !== "object") {
    const detail = `must be object if parent array's ${listTypeKey} is map`;
    return [...errors, invalid(`${path}.items.type`, itemType, detail), ...keyErrors(items, path, keys)];
  }
  const fields = new Map(rawProperties(items));
  for (const [index, key] of keys.entries()) {
    const field = fields.get(key);
    if (field === undefined) {
      errors.push(invalid(`${path}.${mapKeysKey}`, keys, "entries must all be names of item properties"));
    } else if (["array", "object"].includes(textAt(field, "type"))) {
      const detail = `must be a scalar type if parent array's ${listTypeKey} is map`;
      errors.push(invalid(`${path}.items.properties[${key}].type`, itemType, detail));
    }
    if (keys.indexOf(key) < index)
      errors.push(invalid(`${path}.${mapKeysKey}`, keys, "must not contain duplicate entries"));
  }
  return [...errors, ...keyErrors(items, path, keys)];
}

/** A key that may be absent or null would not tell items apart. */
function keyErrors(items: RawSchema, path: string, keys: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const needed = new Set(textsAt(items, "required"));
  const fields = new Map(rawProperties(items));
  for (const key of keys) {
    const field = fields.get(key);
    if (field === undefined) continue;
    const place = `${path}.items.properties[${key}]`;
    const about = `this property is in ${mapKeysKey}, so it`;
    if (!needed.has(key) && field["default"] === undefined) {
      errors.push(required(`${place}.default`, `${about} must have a default or be a required property`));
    }
    if (says(field, "nullable")) errors.push(forbidden(`${place}.nullable`, `${about} cannot be nullable`));
  }
  return errors;
}

function nullableErrors(schema: RawSchema, path: string, listType: string): FieldError[] {
  const items = schemaAt(schema, "items");
  if (items === undefined || !says(items, "nullable")) return [];
  return [forbidden(`${path}.items.nullable`, `cannot be nullable when ${listTypeKey} is ${listType}`)];
}
