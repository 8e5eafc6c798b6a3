import { isJsonObject } from "#base/json.ts";
import { additionalOf, isAnything, propertyOf } from "./child-node.ts";
import { isPlainLeaf } from "./decodes-plainly.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * Whether a whole object surely has no field that its schema does not know and none of a type that Go's decoder would refuse: nearly always,
 * and seen in one look at each.
 */
export function isKnownPlainly(object: Record<string, unknown>, node: SchemaNode): boolean {
  return node["x-kubernetes-preserve-unknown-fields"] !== true && areKnown(object, node, "resource");
}

function areKnown(object: Record<string, unknown>, node: SchemaNode, place: "resource" | "part"): boolean {
  const extra = additionalOf(node);
  for (const key in object) {
    const child = propertyOf(node, key) ?? extra;
    if (child !== undefined) {
      if (!isKnown(object[key], child)) return false;
    } else if (place === "part" || typeof object[key] !== "string" || (key !== "apiVersion" && key !== "kind")) {
      return false;
    }
  }
  return true;
}

function isKnown(value: unknown, node: SchemaNode): boolean {
  if (value === null || value === undefined) return true;
  if (node["x-kubernetes-preserve-unknown-fields"] === true || node["x-kubernetes-embedded-resource"] === true)
    return isOpaque(node);
  if (node.type === "object") return isJsonObject(value) && areKnown(value, node, "part");
  if (node.type === "array") return Array.isArray(value) && node.items !== undefined && areAllKnown(value, node.items);
  if (node.format !== "quantity" && isAnything(node)) return true;
  return typeof value !== "object" && isPlainLeaf(value, node);
}

function areAllKnown(items: readonly unknown[], node: SchemaNode): boolean {
  for (const item of items) if (!isKnown(item, node)) return false;
  return true;
}

/** Whether a schema takes whatever there is, and says nothing of its parts. */
export function isOpaque(node: SchemaNode): boolean {
  const { properties, items, additionalProperties } = node;
  return (
    node["x-kubernetes-preserve-unknown-fields"] === true &&
    node["x-kubernetes-embedded-resource"] !== true &&
    properties === undefined &&
    items === undefined &&
    additionalProperties === undefined
  );
}
