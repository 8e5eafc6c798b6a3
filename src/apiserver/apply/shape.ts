import { isJsonObject, RawNumber } from "#base/json.ts";
import { additionalOf, propertyOf } from "#schema/child-node.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { keyElement, type PathElement, soleKeyElement, valueElement } from "./path-element.ts";

/**
 * How ownership divides a value:
 * - `leaf`: owned whole (scalars, atomic lists and objects)
 * - `map`: owned member by member
 * - `list`: owned element by element, found by keys or by value
 */
export type Shape = "leaf" | "map" | "list";

/**
 * A missing node is a value that the schema says nothing about: its objects divide, its lists are whole.
 *
 * Upstream: kube-openapi schemaconv, structured-merge-diff deduceAtom.
 */
export function shapeOf(node: SchemaNode | undefined, value: unknown): Shape {
  if (typeof value !== "object" || value === null || value instanceof RawNumber) return "leaf";
  if (Array.isArray(value)) return node !== undefined && isAssociative(node) ? "list" : "leaf";
  if (node === undefined) return "map";
  if (node["x-kubernetes-map-type"] === "atomic") return "leaf";
  return node.type === "object" || node.type === undefined ? "map" : "leaf";
}

/** The schema of an object's member. */
export function memberNode(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  return node === undefined ? undefined : (propertyOf(node, key) ?? additionalOf(node));
}

/** Whether the schema names the member, as it does a struct's fields and not a map's keys. */
export function isNamedField(node: SchemaNode | undefined, key: string): boolean {
  return node !== undefined && propertyOf(node, key) !== undefined;
}

/** Whether an object may have members that the schema does not name. */
export function allowsUnknown(node: SchemaNode | undefined): boolean {
  if (node === undefined || node["x-kubernetes-preserve-unknown-fields"] === true) return true;
  if (node.additionalProperties !== undefined) return node.additionalProperties !== false;
  return node.properties === undefined;
}

/** Finds the steps to a list's elements. */
export class ListSteps {
  readonly #keys: readonly string[];
  readonly #items: SchemaNode | undefined;

  constructor(list: SchemaNode) {
    this.#keys = listKeys(list);
    this.#items = list.items;
  }

  /** Undefined for an element that no step leads to; `problemOf` says why. */
  stepTo(item: unknown): PathElement | undefined {
    if (this.#keys.length === 0) return isScalar(item) ? valueElement(item) : undefined;
    if (!isJsonObject(item)) return undefined;
    const [sole] = this.#keys;
    if (this.#keys.length === 1 && sole !== undefined) {
      const value = this.#keyOf(item, sole);
      return value === undefined ? undefined : soleKeyElement(sole, value);
    }
    const found: Record<string, unknown> = {};
    let count = 0;
    for (const key of this.#keys) {
      const value = this.#keyOf(item, key);
      if (value === undefined) continue;
      found[key] = value;
      count++;
    }
    return count === 0 ? undefined : keyElement(found);
  }

  /** A key that is not sent counts as its default: a port without a protocol is a TCP port. */
  #keyOf(item: object, key: string): unknown {
    return Object.hasOwn(item, key) ? (item as Record<string, unknown>)[key] : defaultKey(this.#items, key);
  }

  problemOf(item: unknown): string {
    if (this.#keys.length > 0) {
      if (item === null) return "associative list with keys may not have a null element";
      if (!isJsonObject(item)) return "associative list with keys may not have non-map elements";
      const names = `[${this.#keys.map((key) => JSON.stringify(key)).join(" ")}]`;
      return `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
    }
    if (item === null) return "associative list without keys has an element that's an explicit null";
    if (Array.isArray(item)) return "not supported: associative list with lists as elements";
    return "associative list without keys has an element that's a map type";
  }
}

/** A built-in kind's key has the empty value of its type where it is not sent. */
function defaultKey(items: SchemaNode | undefined, key: string): unknown {
  const field = items?.properties?.[key];
  if (field?.default !== undefined || items?.title === undefined) return field?.default;
  return field?.type === "string" ? "" : field?.type === "integer" ? 0 : undefined;
}

function isScalar(value: unknown): boolean {
  return value !== null && (typeof value !== "object" || value instanceof RawNumber);
}

function isAssociative(node: SchemaNode): boolean {
  const type = node["x-kubernetes-list-type"];
  if (type !== undefined) return type !== "atomic";
  const strategy = node["x-kubernetes-patch-strategy"];
  return strategy === "merge" || strategy === "merge,retainKeys";
}

/** Sorted; empty for a set. */
function listKeys(node: SchemaNode): readonly string[] {
  const declared = node["x-kubernetes-list-type"];
  if (declared === "map") return [...(node["x-kubernetes-list-map-keys"] ?? [])].sort();
  const mergeKey = node["x-kubernetes-patch-merge-key"];
  return declared === undefined && mergeKey !== undefined ? [mergeKey] : [];
}
