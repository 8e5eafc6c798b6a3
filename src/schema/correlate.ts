import { isJsonObject, jsonEquals, member, RawNumber } from "#base/json.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * Whether an update leaves a value as it was, as Kubernetes sees it when it forgives old faults: items of a list that is a map are
 * told apart by their keys, whatever their order; a member that the schema does not know cannot be told to be the same.
 */
export function isUnchanged(value: unknown, old: unknown, node: SchemaNode): boolean {
  if (value === null || old === null) return value === old;
  if (Array.isArray(value)) return Array.isArray(old) && isSameList(value, old, node);
  if (isJsonObject(value)) return isJsonObject(old) && isSameMap(value, old, node);
  return !Array.isArray(old) && !isJsonObject(old) && jsonEquals(value, old);
}

/** The old item that each new item continues, where that can be told: in a list that is a map, the first one with the same keys. */
export function correlateItems(items: readonly unknown[], old: unknown, node: SchemaNode): unknown[] | undefined {
  if (!Array.isArray(old) || !isMapList(node)) return undefined;
  const keys = node["x-kubernetes-list-map-keys"] ?? [];
  const oldByKey = new Map(old.toReversed().map((item) => [identityOf(item, keys), item]));
  oldByKey.delete(undefined);
  return items.map((item) => oldByKey.get(identityOf(item, keys)));
}

function isSameList(items: readonly unknown[], old: readonly unknown[], node: SchemaNode): boolean {
  if (items.length !== old.length) return false;
  if (!isMapList(node)) return jsonEquals(items, old);
  const child = node.items;
  const correlated = correlateItems(items, old, node);
  return items.every((item, index) => {
    const before = correlated?.[index];
    return before !== undefined && child !== undefined && isUnchanged(item, before, child);
  });
}

function isSameMap(object: Record<string, unknown>, old: Record<string, unknown>, node: SchemaNode): boolean {
  const keys = Object.keys(object);
  if (keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const child = propertyOf(node, key) ?? additionalOf(node);
    return child !== undefined && Object.hasOwn(old, key) && isUnchanged(object[key], member(old, key), child);
  });
}

function isMapList(node: SchemaNode): boolean {
  return node["x-kubernetes-list-type"] === "map";
}

/** Undefined for what has not all of the keys, or has something else than a scalar there. */
function identityOf(item: unknown, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item) || keys.length === 0) return undefined;
  let identity = "";
  for (const key of keys) {
    const value = member(item, key);
    if (value instanceof RawNumber) identity += `\0number ${value.token}`;
    else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      identity += `\0${typeof value} ${JSON.stringify(value)}`;
    else return undefined;
  }
  return identity;
}
