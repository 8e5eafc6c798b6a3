import { isJsonObject, RawNumber } from "#base/json.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import { findBase64Error } from "./decode-text.ts";
import { findValueError } from "./decode-types.ts";
import { jsonTypeOf } from "./json-type.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * What keeps a patched document from becoming an object of a built-in kind, in the words of Kubernetes' converter between unstructured
 * and typed objects, which strategic merge patches go through; others are decoded (findTypeError).
 */
export function findConversionError(value: unknown, node: SchemaNode): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (isDecoded(node)) return findValueError(value, node);
  switch (node.type) {
    case "string":
      return node.format === "byte" ? bytesError(value) : scalarError(value, "string");
    case "boolean":
      return scalarError(value, "bool");
    case "integer":
      return scalarError(value, node.format === "int32" ? "int32" : "int64");
    case "number":
      return scalarError(value, "float64");
    case "array":
      if (!Array.isArray(value)) return `cannot restore slice from ${goKind(value)}`;
      return firstError(value, () => node.items);
    case "object":
      return objectError(value, node);
    default:
      return undefined;
  }
}

/** Types that read their own JSON. */
function isDecoded(node: SchemaNode): boolean {
  return (
    node["x-kubernetes-int-or-string"] === true ||
    node["x-kubernetes-preserve-unknown-fields"] === true ||
    node.format === "quantity" ||
    node.format === "date-time"
  );
}

function objectError(value: unknown, node: SchemaNode): string | undefined {
  const additional = additionalOf(node);
  if (!isJsonObject(value)) {
    return additional === undefined
      ? `cannot restore struct from: ${goKind(value)}`
      : `cannot restore map from ${goKind(value)}`;
  }
  for (const key in value) {
    const child = propertyOf(node, key) ?? additional;
    const error = child === undefined ? undefined : findConversionError(value[key], child);
    if (error !== undefined) return error;
  }
  return undefined;
}

function firstError(items: readonly unknown[], childOf: () => SchemaNode | undefined): string | undefined {
  const child = childOf();
  if (child === undefined) return undefined;
  for (const item of items) {
    const error = findConversionError(item, child);
    if (error !== undefined) return error;
  }
  return undefined;
}

function scalarError(value: unknown, wanted: "string" | "bool" | "int32" | "int64" | "float64"): string | undefined {
  const kind = goKind(value);
  if (kind === wanted || (wanted === "float64" && kind === "int64")) return undefined;
  if (kind === "int64" && (wanted === "int32" || wanted === "int64")) return undefined;
  if (kind === "float64" && wanted.startsWith("int")) {
    return Number.isInteger(Number(value)) ? undefined : `cannot convert float64 to ${wanted}`;
  }
  if (kind === "int64" && wanted === "string") return "cannot convert int64 to string";
  return `unrecognized type: ${wanted}`;
}

function bytesError(value: unknown): string | undefined {
  if (typeof value !== "string") return `cannot restore slice from ${goKind(value)}`;
  const problem = findBase64Error(value);
  return problem === undefined ? undefined : `error decoding from json: ${problem}`;
}

function goKind(value: unknown): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || value instanceof RawNumber)
    return jsonTypeOf(value) === "integer" ? "int64" : "float64";
  return Array.isArray(value) ? "slice" : "map";
}
