import { isJsonObject, RawNumber, setMember } from "#base/json.ts";
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
      return node.format === "byte" ? bytesError(value) : namedAs(node, scalarError(value, "string"));
    case "boolean":
      return scalarError(value, "bool");
    case "integer":
      return scalarError(value, node.format === "int32" ? "int32" : "int64");
    case "number":
      return scalarError(value, "float64");
    case "array":
      if (!Array.isArray(value)) return `cannot restore slice from ${goKind(value)}`;
      return firstOf(value, (item) => findConversionError(item, node.items ?? {}));
    case "object":
      return objectError(value, node);
    default:
      return undefined;
  }
}

/** Numbers that do not fit their field wrapped as Go's conversion wraps them, in place. */
export function convertNumbers(value: unknown, node: SchemaNode): void {
  if (isDecoded(node) || typeof value !== "object" || value === null) return;
  const holder = value as Record<string, unknown>; // a list is indexed by its numbers
  for (const key of Object.keys(holder)) {
    const child = Array.isArray(value) ? node.items : (propertyOf(node, key) ?? additionalOf(node));
    if (child === undefined || isDecoded(child)) continue;
    const current = holder[key];
    if (child.type === "integer") setMember(holder, key, wrapped(current, child.format === "int32" ? 32 : 64));
    else convertNumbers(current, child);
  }
}

function wrapped(value: unknown, bits: number): unknown {
  if (typeof value !== "number" && !(value instanceof RawNumber)) return value;
  const text = value instanceof RawNumber ? value.token : String(value);
  const whole = goKind(value) === "int64" ? BigInt(text) : truncated(Number(text));
  return numberOf(BigInt.asIntN(bits, whole));
}

const leastInt64 = -(2n ** 63n);

/** What the processor makes of a float: beyond the range of an int64 always the least one. */
function truncated(float: number): bigint {
  const whole = BigInt(Math.trunc(float));
  return BigInt.asIntN(64, whole) === whole ? whole : leastInt64;
}

function numberOf(value: bigint): number | RawNumber {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : new RawNumber(String(value));
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

function firstOf(items: readonly unknown[], find: (item: unknown) => string | undefined): string | undefined {
  for (const item of items) {
    const error = find(item);
    if (error !== undefined) return error;
  }
  return undefined;
}

type GoScalar = "string" | "bool" | "int32" | "int64" | "uint8" | "float64";

function scalarError(value: unknown, wanted: GoScalar): string | undefined {
  const kind = goKind(value);
  if (kind === wanted || (wanted === "float64" && kind === "int64")) return undefined;
  const isWhole = wanted === "int32" || wanted === "int64" || wanted === "uint8";
  if (kind === "int64" && isWhole) return undefined;
  if (kind === "float64" && isWhole) {
    return Number.isInteger(Number(value)) ? undefined : `cannot convert float64 to ${wanted}`;
  }
  if (kind === "int64" && wanted === "string") return "cannot convert int64 to string";
  return `unrecognized type: ${wanted}`;
}

/** A text of a type with a name of its own is told by it, but only where something could be converted. */
function namedAs({ goType = "string" }: SchemaNode, problem: string | undefined): string | undefined {
  return problem === "cannot convert int64 to string" ? `cannot convert int64 to ${goType}` : problem;
}

function bytesError(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (item) => (item === null ? undefined : scalarError(item, "uint8")));
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
