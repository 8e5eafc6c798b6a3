import { isJsonObject, member } from "#base/json.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import type { PatternCache } from "./pattern-cache.ts";
import type { SchemaNode } from "./schema-node.ts";
import { hasFormat } from "./string-formats.ts";

/**
 * Whether validation surely finds nothing, as it nearly always does: seen without a note of where one stands. What is not plain (nulls,
 * alternatives, numbers that JavaScript cannot hold) is left to the one that looks closely.
 */
export function isSurelyValid(value: unknown, node: SchemaNode, patterns: PatternCache): boolean {
  if (hasAlternatives(node)) return false;
  if (node["x-kubernetes-int-or-string"] === true && node.type === undefined)
    return typeof value === "string" ? isText(value, node, patterns) : isPlainNumber(value, node);
  switch (node.type) {
    case "string":
      return typeof value === "string" && isText(value, node, patterns);
    case "boolean":
      return typeof value === "boolean" && node.enum === undefined && node.format === undefined;
    case "integer":
    case "number":
      return isPlainNumber(value, node);
    case "array":
      return Array.isArray(value) && areItems(value, node, patterns);
    case "object":
      return isJsonObject(value) && areMembers(value, node, patterns);
    default:
      return value !== null && value !== undefined && saysNothing(node);
  }
}

/** All that a node without a type may have where it asks for nothing. */
const words: ReadonlySet<string> = new Set([
  "description",
  "title",
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
]);

function saysNothing(node: SchemaNode): boolean {
  for (const word in node) if (node[word as keyof SchemaNode] !== undefined && !words.has(word)) return false;
  return true;
}

function hasAlternatives({ anyOf, oneOf, allOf, not }: SchemaNode): boolean {
  return anyOf !== undefined || oneOf !== undefined || allOf !== undefined || not !== undefined;
}

/** A text of as many characters as two for each that is asked for has enough of them, however they are counted. */
function isText(value: string, node: SchemaNode, patterns: PatternCache): boolean {
  const { maxLength, minLength, pattern, format } = node;
  if (maxLength !== undefined && value.length > maxLength) return false;
  if (minLength !== undefined && value.length < (minLength > 1 ? 2 * minLength : minLength)) return false;
  if (node.enum !== undefined && !node.enum.includes(value)) return false;
  if (pattern !== undefined && pattern !== "" && patterns.matches(node, value) !== true) return false;
  return format === undefined || hasFormat(value, format);
}

function isPlainNumber(value: unknown, node: SchemaNode): boolean {
  if (typeof value !== "number" || value !== (value | 0)) return false;
  const { format, minimum, maximum } = node;
  if (node.enum !== undefined || node.multipleOf !== undefined) return false;
  if (format !== undefined && format !== "int32" && format !== "int64") return false;
  return isAtLeast(value, minimum, node) && isAtMost(value, maximum, node);
}

function isAtLeast(value: number, minimum: number | undefined, { exclusiveMinimum }: SchemaNode): boolean {
  if (minimum === undefined) return true;
  return minimum === (minimum | 0) && (exclusiveMinimum === true ? value > minimum : value >= minimum);
}

function isAtMost(value: number, maximum: number | undefined, { exclusiveMaximum }: SchemaNode): boolean {
  if (maximum === undefined) return true;
  return maximum === (maximum | 0) && (exclusiveMaximum === true ? value < maximum : value <= maximum);
}

function areItems(items: readonly unknown[], node: SchemaNode, patterns: PatternCache): boolean {
  const { minItems, maxItems, uniqueItems, format } = node;
  if (node.enum !== undefined || uniqueItems === true || format !== undefined) return false;
  if (minItems !== undefined && items.length < minItems) return false;
  if (maxItems !== undefined && items.length > maxItems) return false;
  if (!areToldApart(items, node)) return false;
  if (node.items === undefined) return true;
  for (const item of items) if (!isSurelyValid(item, node.items, patterns)) return false;
  return true;
}

/** As many as can be compared one with each other. */
const fewItems = 16;

/** Whether no two items of a set or a map are the same: strings, or objects that have strings for all their keys. */
function areToldApart(items: readonly unknown[], node: SchemaNode): boolean {
  const type = node["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return true;
  if (items.length > fewItems) return false;
  const keys = type === "set" ? undefined : (node["x-kubernetes-list-map-keys"] ?? []);
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (!(keys === undefined ? typeof item === "string" : hasTexts(item, keys))) return false;
    for (let other = 0; other < index; other++) if (isSame(item, items[other], keys)) return false;
  }
  return true;
}

function hasTexts(item: unknown, keys: readonly string[]): boolean {
  return isJsonObject(item) && keys.every((key) => typeof member(item, key) === "string");
}

/** Of items that were found to be of the form that is asked for. */
function isSame(a: unknown, b: unknown, keys: readonly string[] | undefined): boolean {
  if (keys === undefined) return a === b;
  return keys.every((key) => member(a as object, key) === member(b as object, key));
}

function areMembers(object: Record<string, unknown>, node: SchemaNode, patterns: PatternCache): boolean {
  if (node.enum !== undefined || node.format !== undefined) return false;
  if (node.minProperties !== undefined || node.maxProperties !== undefined) return false;
  const extra = additionalOf(node);
  for (const key in object) {
    const child = propertyOf(node, key) ?? extra;
    if (child === undefined) {
      if (node.additionalProperties === false) return false;
    } else if (!isSurelyValid(object[key], child, patterns)) return false;
  }
  for (const key of node.required ?? []) if (member(object, key) === undefined) return false;
  return true;
}
