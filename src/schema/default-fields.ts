import { cloneJson, isJsonObject, setMember } from "#base/json.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import type { SchemaNode } from "./schema-node.ts";

type Container = Record<string, unknown>;

/**
 * Fills in the schema's defaults, in place and as Kubernetes does it: a default applies only where its parent object
 * exists, and takes the place of null unless the field is nullable. Each default is a copy of its own.
 */
export function applyDefaults(draft: unknown, node: SchemaNode): void {
  if (Array.isArray(draft)) {
    defaultItems(draft, node.items);
    return;
  }
  if (!isJsonObject(draft)) return;
  const object: Container = draft;
  const properties = node.properties;
  if (properties !== undefined) {
    for (const key in properties) {
      const fallback = properties[key]!.default;
      if (fallback !== undefined && fallback !== null && needsDefault(object, key, properties[key]!)) {
        setMember(object, key, cloneJson(fallback));
      }
    }
  }
  for (const key in object) {
    const child = propertyOf(node, key);
    if (child !== undefined) applyDefaults(object[key], child);
    else defaultExtra(object, key, additionalOf(node));
  }
}

/**
 * Removes members that are null where the schema allows no null and has no default, in place. The API server does this
 * to custom resources before it fills in defaults.
 */
export function dropUnwantedNulls(draft: unknown, node: SchemaNode | undefined): void {
  if (Array.isArray(draft)) {
    for (const item of draft) dropUnwantedNulls(item, node?.items);
    return;
  }
  if (!isJsonObject(draft) || node === undefined) return;
  const object: Container = draft;
  for (const key in object) {
    const child = propertyOf(node, key) ?? additionalOf(node);
    if (child === undefined) continue;
    const value = object[key];
    if (value !== null) dropUnwantedNulls(value, child);
    else if (child.nullable !== true && (child.default === undefined || child.default === null)) delete object[key];
  }
}

/** Whether dropping unwanted nulls and filling in defaults would change nothing. */
export function hasAllDefaults(value: unknown, node: SchemaNode): boolean {
  if (Array.isArray(value)) return node.items === undefined || hasCompleteItems(value, node.items);
  if (!isJsonObject(value)) return true;
  const object: Container = value;
  for (const key in node.properties) {
    const fallback = node.properties[key]!.default;
    if (fallback !== undefined && fallback !== null && needsDefault(object, key, node.properties[key]!)) return false;
  }
  for (const key in object) {
    const child = propertyOf(node, key) ?? additionalOf(node);
    if (child === undefined) continue;
    if (object[key] === null && child.nullable !== true) return false;
    if (!hasAllDefaults(object[key], child)) return false;
  }
  return true;
}

function hasCompleteItems(items: readonly unknown[], node: SchemaNode): boolean {
  const replacesNull = node.nullable !== true && node.default !== undefined;
  return items.every((item) => !(item === null && replacesNull) && hasAllDefaults(item, node));
}

function defaultItems(items: unknown[], node: SchemaNode | undefined): void {
  if (node === undefined) return;
  for (let index = 0; index < items.length; index++) {
    if (items[index] === null && node.nullable !== true && node.default !== undefined) {
      items[index] = cloneJson(node.default);
    }
    applyDefaults(items[index], node);
  }
}

function defaultExtra(object: Container, key: string, node: SchemaNode | undefined): void {
  if (node === undefined) return;
  if (object[key] === null && node.nullable !== true && node.default !== undefined) {
    setMember(object, key, cloneJson(node.default));
  }
  applyDefaults(object[key], node);
}

function needsDefault(object: Container, key: string, node: SchemaNode): boolean {
  if (!Object.hasOwn(object, key)) return true;
  const value = object[key];
  return value === undefined || (value === null && node.nullable !== true);
}
