import { isJsonObject, RawNumber } from "#base/json.ts";
import { parseQuantity } from "#base/quantity.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import { findBase64Error, findTimeError } from "./decode-text.ts";
import { membersDecodePlainly, plainQuantity } from "./decodes-plainly.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * What Go's typed decoding of a built-in kind would refuse: the first value, in document order, of a type that the
 * field's Go type cannot take. Custom resources are not decoded into Go types; there validateFields reports the same.
 *
 * A node's `title`, where it has the form `v1.EnvVar`, names the Go struct that Kubernetes mentions; without it the
 * kind's name stands in.
 */
export function findTypeError(value: unknown, node: SchemaNode, kind: string): string | undefined {
  if (!isJsonObject(value)) {
    return `json: cannot unmarshal ${goWord(value)} into Go value of type ${goStruct(node) ?? kind}`;
  }
  if (membersDecodePlainly(value, node)) return undefined;
  const findings: Findings = { mismatch: undefined };
  const broken = decodeMembers(value, node, { struct: structName(node) ?? kind, field: "", findings });
  return broken ?? findings.mismatch;
}

/** The same of a value alone, of a type that reads its own JSON: an amount, a time, an int-or-string. */
export function findValueError(value: unknown, node: SchemaNode): string | undefined {
  const findings: Findings = { mismatch: undefined };
  const broken = decode(value, node, { struct: "", field: "", findings });
  return (broken ?? findings.mismatch)?.replace("Go struct field . of type", "Go value of type");
}

/**
 * A wrong type does not stop Go's decoder: it goes on, and tells of the first one at the end. A text that its own type cannot read
 * (a time, an amount) does.
 */
interface Findings {
  mismatch: string | undefined;
}

/** Where the decoder stands: the innermost struct, and the field's path from the root, without indices and map keys. */
interface Place {
  readonly struct: string;
  readonly field: string;
  readonly findings: Findings;
}

function decode(value: unknown, node: SchemaNode, place: Place): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (node["x-kubernetes-int-or-string"] === true) return decodeIntOrString(value, place);
  if (node["x-kubernetes-preserve-unknown-fields"] === true) return undefined;
  if (node.format === "quantity") return isQuantity(value) ? undefined : quantityError(value);
  switch (node.type) {
    case "string":
      return decodeString(value, node, place);
    case "boolean":
      return typeof value === "boolean" ? undefined : mismatch(value, node, place);
    case "integer":
      return decodeInteger(value, node, place);
    case "number":
      return typeof value === "number" || value instanceof RawNumber ? undefined : mismatch(value, node, place);
    case "array":
      return decodeItems(value, node, place);
    case "object":
      if (!isJsonObject(value)) return mismatch(value, node, place);
      return decodeMembers(value, node, { ...place, struct: structName(node) ?? place.struct });
    default:
      return undefined;
  }
}

function decodeMembers(object: Record<string, unknown>, node: SchemaNode, place: Place): string | undefined {
  for (const key in object) {
    const declared = propertyOf(node, key);
    const child = declared ?? additionalOf(node);
    if (child === undefined) continue;
    const value = object[key];
    if (declared === undefined) {
      const error = decode(value, node.goItemType === undefined ? child : { ...child, goType: node.goItemType }, place);
      if (error !== undefined) return error;
      continue;
    }
    if (isPlainMatch(value, child)) continue;
    const name = child.goEmbedded === undefined ? key : `${child.goEmbedded}.${key}`;
    const field = [place.field, isOfType(name, node) ? `TypeMeta.${name}` : name]
      .filter((part) => part !== "")
      .join(".");
    const error = decode(value, child, { ...place, field });
    if (error !== undefined) return error;
  }
  return undefined;
}

/** apiVersion and kind belong to a struct that is embedded in every object. */
function isOfType(key: string, { properties }: SchemaNode): boolean {
  return (key === "apiVersion" || key === "kind") && properties?.["metadata"] !== undefined;
}

/** The common case, decided without making a path: a plain string, number or boolean of the right type. */
function isPlainMatch(value: unknown, node: SchemaNode): boolean {
  if (node.format !== undefined) return false;
  return (
    (node.type === "string" && typeof value === "string") || (node.type === "boolean" && typeof value === "boolean")
  );
}

function decodeItems(value: unknown, node: SchemaNode, place: Place): string | undefined {
  if (!Array.isArray(value)) return mismatch(value, node, place);
  if (node.items === undefined) return undefined;
  const items = node.goItemType === undefined ? node.items : { ...node.items, goType: node.goItemType };
  for (const item of value) {
    const error = decode(item, items, place);
    if (error !== undefined) return error;
  }
  return undefined;
}

function decodeString(value: unknown, node: SchemaNode, place: Place): string | undefined {
  if (node.format === "date-time") {
    const form = node.title === "v1.MicroTime" ? "micro" : "seconds";
    return typeof value === "string" ? findTimeError(value, form) : unreadable(goWord(value), "string", place);
  }
  if (Array.isArray(value) && node.format === "byte") return decodeBytes(value, place);
  if (typeof value !== "string") return mismatch(value, node, place);
  if (node.format === "byte") place.findings.mismatch ??= findBase64Error(value);
  return undefined;
}

/** Go takes a list of numbers for bytes. */
function decodeBytes(items: readonly unknown[], place: Place): undefined {
  for (const item of items) {
    const isByte = typeof item === "number" && item === (item & 0xff);
    if (isByte || item === null) continue;
    const isNumber = typeof item === "number" || item instanceof RawNumber;
    cannotUnmarshal(
      isNumber ? `number ${String(item instanceof RawNumber ? item.token : item)}` : goWord(item),
      "uint8",
      place,
    );
  }
}

function decodeInteger(value: unknown, node: SchemaNode, place: Place): string | undefined {
  if (typeof value === "number" && value === (value | 0)) return undefined;
  if (typeof value !== "number" && !(value instanceof RawNumber)) return mismatch(value, node, place);
  const text = value instanceof RawNumber ? value.token : String(value);
  if (fitsInteger(text, node.format === "int32" ? 32n : 64n)) return undefined;
  return cannotUnmarshal(`number ${text}`, goTypeOf(node), place);
}

function decodeIntOrString(value: unknown, place: Place): string | undefined {
  if (typeof value === "string" || (typeof value === "number" && value === (value | 0))) return undefined;
  const isNumber = typeof value === "number" || value instanceof RawNumber;
  const text = value instanceof RawNumber ? value.token : String(value);
  if (isNumber && fitsInteger(text, 32n)) return undefined;
  return unreadable(isNumber ? `number ${text}` : goWord(value), "int32", place);
}

function fitsInteger(text: string, bits: bigint): boolean {
  if (!/^-?[0-9]+$/.test(text)) return false;
  const value = BigInt(text);
  const limit = 1n << (bits - 1n);
  return value >= -limit && value < limit;
}

const wrongQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** A number that is followed by no unit that there is. */
const strangeSuffix = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eEinumkKMGTP]+[-+]?[0-9]*$/;

function quantityError(value: unknown): string {
  const hasSuffix = typeof value === "string" && strangeSuffix.test(value.trim());
  return hasSuffix ? "unable to parse quantity's suffix" : wrongQuantity;
}

function isQuantity(value: unknown): boolean {
  if (typeof value === "string") return plainQuantity.test(value) || parseQuantity(value.trim()) !== undefined;
  if (value instanceof RawNumber) return parseQuantity(value.token) !== undefined;
  return typeof value === "number" && parseQuantity(String(value)) !== undefined;
}

function mismatch(value: unknown, node: SchemaNode, place: Place): undefined {
  cannotUnmarshal(goWord(value), goTypeOf(node), place);
}

function cannotUnmarshal(what: string, type: string, place: Place): undefined {
  place.findings.mismatch ??= unreadable(what, type, place);
}

function unreadable(what: string, type: string, { struct, field }: Place): string {
  return `json: cannot unmarshal ${what} into Go struct field ${struct}.${field} of type ${type}`;
}

/** How Go's decoder calls a JSON value. */
function goWord(value: unknown): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || value instanceof RawNumber) return "number";
  return Array.isArray(value) ? "array" : "object";
}

function goTypeOf(node: SchemaNode | undefined): string {
  if (node?.goType !== undefined) return node.goType;
  switch (node?.type) {
    case "string":
      return node.format === "byte" ? "[]uint8" : "string";
    case "boolean":
      return "bool";
    case "integer":
      return node.format ?? "int64";
    case "number":
      return "float64";
    case "array":
      return `[]${node.goItemType ?? goTypeOf(node.items)}`;
    case "object": {
      const additional = additionalOf(node);
      return additional === undefined
        ? (goStruct(node) ?? "map[string]interface {}")
        : `map[string]${goTypeOf(additional)}`;
    }
    default:
      return "interface {}";
  }
}

/** `v1.EnvVar`. */
function goStruct(node: SchemaNode): string | undefined {
  return node.title !== undefined && /^\w+\.\w+$/.test(node.title) ? node.title : undefined;
}

/** `EnvVar`. */
function structName(node: SchemaNode): string | undefined {
  return goStruct(node)?.split(".")[1];
}
