import { isJsonObject } from "#base/json.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import { findTimeError } from "./decode-text.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Nearly every amount; the rest is left to the parser. */
export const plainQuantity = /^[0-9]{1,15}(?:m|k|[MGTPE]i?|Ki)?$/;

/** Whether Go's typed decoding surely takes the members: nearly always, and seen without a note of where one stands. */
export function membersDecodePlainly(object: Record<string, unknown>, node: SchemaNode): boolean {
  for (const key in object) {
    const child = propertyOf(node, key) ?? additionalOf(node);
    if (child !== undefined && !decodesPlainly(object[key], child)) return false;
  }
  return true;
}

function decodesPlainly(value: unknown, node: SchemaNode): boolean {
  if (value === null || value === undefined) return true;
  if (node["x-kubernetes-int-or-string"] === true || node["x-kubernetes-preserve-unknown-fields"] === true)
    return isPlainLeaf(value, node);
  if (node.type === "array") return Array.isArray(value) && itemsDecodePlainly(value, node.items);
  if (node.type === "object" && node.format !== "quantity")
    return isJsonObject(value) && membersDecodePlainly(value, node);
  return isPlainLeaf(value, node);
}

/** The same of what is neither a list nor an object by its schema. */
export function isPlainLeaf(value: unknown, node: SchemaNode): boolean {
  if (node["x-kubernetes-int-or-string"] === true) return typeof value === "string" || isSmallInteger(value);
  if (node["x-kubernetes-preserve-unknown-fields"] === true) return true;
  if (node.format === "quantity") return typeof value === "string" && plainQuantity.test(value);
  switch (node.type) {
    case "string":
      return typeof value === "string" && readsAs(value, node);
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return isSmallInteger(value);
    case "number":
      return typeof value === "number";
    default:
      return true;
  }
}

function itemsDecodePlainly(items: readonly unknown[], node: SchemaNode | undefined): boolean {
  if (node === undefined) return true;
  for (const item of items) if (!decodesPlainly(item, node)) return false;
  return true;
}

function readsAs(text: string, { format, title }: SchemaNode): boolean {
  if (format === "date-time") return findTimeError(text, title === "v1.MicroTime" ? "micro" : "seconds") === undefined;
  return format !== "byte";
}

function isSmallInteger(value: unknown): boolean {
  return typeof value === "number" && value === (value | 0);
}
