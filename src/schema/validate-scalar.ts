import type { FieldError } from "#base/field-error.ts";
import { printGoJson } from "#base/go-json.ts";
import { goQuote } from "#base/go-text.ts";
import { jsonEquals, RawNumber } from "#base/json.ts";
import { withSortedMembers } from "#base/sorted-json.ts";
import type { FieldPath } from "./field-path.ts";
import { isJsonInteger, type JsonType, jsonTypeOf } from "./json-type.ts";
import type { PatternCache } from "./pattern-cache.ts";
import type { SchemaNode } from "./schema-node.ts";
import { knowsFormat } from "./string-formats.ts";

/** How closely Kubernetes looks. */
export interface WalkMode {
  /** The value is a default: its schema is taken as it was written, int-or-string says nothing, and every format counts as one. */
  readonly isDefault?: true;
}

/** The type that Kubernetes would have expected, when the value has another. */
export function findTypeMismatch(facts: {
  readonly value: unknown;
  readonly node: SchemaNode;
  readonly path: FieldPath;
  readonly mode: WalkMode;
}): FieldError | undefined {
  const { value, node, path, mode } = facts;
  const actual = jsonTypeOf(value);
  const isFormatted = mode.isDefault ? (node.format ?? "") !== "" : hasKnownFormat(node);
  const takesBoth = node["x-kubernetes-int-or-string"] === true && mode.isDefault !== true;
  const expected = takesBoth ? "integer,string" : node.type;
  if (expected === actual || (expected === undefined && !isFormatted)) return undefined;
  if (expected === "integer,string" && (actual === "integer" || actual === "string")) return undefined;
  if (expected === "number" && actual === "integer") return undefined;
  const takesInteger = expected === "integer" || expected === "integer,string";
  if (takesInteger && actual === "number" && isJsonInteger(Number(value))) return undefined;
  const isList = actual === "array" || actual === "string";
  if (isList && isFormatted && expected !== "number" && !takesInteger) return undefined; // an oversight of Kubernetes'
  const goFormat = goFormatOf(actual);
  if (goFormat !== undefined && isFormatted) return typeError(path, node.format ?? "", goFormat);
  return typeError(path, expected ?? "", actual);
}

/** The first of maxLength, minLength and pattern that a string breaks; lengths count code points. */
export function findStringError(facts: {
  readonly value: string;
  readonly node: SchemaNode;
  readonly path: FieldPath;
  readonly patterns: PatternCache;
}): FieldError | undefined {
  const { value, node, path } = facts;
  if (node.maxLength !== undefined && value.length > node.maxLength && codePoints(value) > node.maxLength) {
    const unit = node.maxLength === 1 ? "byte" : "bytes";
    return { path: path.print(), type: "tooLong", detail: `may not be more than ${node.maxLength} ${unit}` };
  }
  if (node.minLength !== undefined && value.length < 2 * node.minLength && codePoints(value) < node.minLength) {
    const detail = `${path.print()} in body should be at least ${node.minLength} chars long`;
    return { path: path.print(), type: "invalid", value, detail };
  }
  if (node.pattern === undefined || node.pattern === "") return undefined;
  const outcome = facts.patterns.matches(node, value);
  if (outcome === true) return undefined;
  const expected = outcome === false ? node.pattern : `${node.pattern}, but pattern is invalid: ${outcome.broken}`;
  return { path: path.print(), type: "invalid", value, detail: `${path.print()} in body should match '${expected}'` };
}

/** A value outside of the enumeration; null is never inside. */
export function findEnumError(value: unknown, node: SchemaNode, path: FieldPath): FieldError | undefined {
  const choices = node.enum ?? [];
  if (choices.length === 0) return undefined;
  if (value !== null && choices.some((choice) => isChosen(choice, value))) return undefined;
  const texts = choices.map((choice) => (typeof choice === "string" ? choice : printGoJson(withSortedMembers(choice))));
  const detail = `supported values: ${texts.map(goQuote).join(", ")}`;
  return { path: path.print(), type: "notSupported", value: withSortedMembers(value), detail };
}

function typeError(path: FieldPath, expected: string, actual: string): FieldError {
  const where = path.print();
  const detail = `${where} in body must be of type ${expected}: ${goQuote(actual)}`;
  return { path: where, type: "typeInvalid", value: actual, detail };
}

/** A format that Kubernetes knows replaces the type's name in the message. */
function hasKnownFormat(node: SchemaNode): boolean {
  if (node.format === undefined || node.type === undefined) return false;
  if (node.type === "integer") return node.format === "int32" || node.format === "int64";
  if (node.type === "number") return node.format === "float" || node.format === "double";
  return node.type === "string" && knowsFormat(node.format);
}

/** What the message then calls the value; undefined for strings, lists and null, where the type's name stays. */
function goFormatOf(actual: JsonType): string | undefined {
  if (actual === "integer") return "int64";
  if (actual === "number") return "float64";
  return actual === "boolean" || actual === "object" ? "" : undefined;
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** As Kubernetes, which converts the value to the type of the choice first: a fraction is cut off, and a number becomes a character. */
function isChosen(choice: unknown, value: unknown): boolean {
  if (jsonEquals(choice, value)) return true;
  if (jsonTypeOf(value) === "integer" && typeof choice === "string") return choice === characterOf(Number(value));
  const isNumber = typeof value === "number" || value instanceof RawNumber;
  if (!isNumber || (typeof choice !== "number" && !(choice instanceof RawNumber))) return false;
  const number = jsonTypeOf(choice) === "integer" ? Math.trunc(Number(value)) : Number(value);
  return number === Number(choice);
}

function characterOf(code: number): string {
  const exists = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return exists ? String.fromCodePoint(code) : "\ufffd";
}
