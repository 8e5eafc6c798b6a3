import type { FieldError } from "#base/field-error.ts";
import { jsonEquals, RawNumber } from "#base/json.ts";
import type { FieldPath } from "./field-path.ts";
import { type JsonType, jsonTypeOf } from "./json-type.ts";
import type { PatternCache } from "./pattern-cache.ts";
import type { SchemaNode } from "./schema-node.ts";
import { knowsFormat } from "./string-formats.ts";

/** The type that Kubernetes would have expected, when the value has another. */
export function findTypeMismatch(value: unknown, node: SchemaNode, path: FieldPath): FieldError | undefined {
  const actual = jsonTypeOf(value);
  const expected = node["x-kubernetes-int-or-string"] === true ? "integer,string" : node.type;
  if (expected === undefined || expected === actual) return undefined;
  if (expected === "integer,string" && (actual === "integer" || actual === "string")) return undefined;
  if (expected === "number" && actual === "integer") return undefined;
  const takesInteger = expected === "integer" || expected === "integer,string";
  if (takesInteger && actual === "number" && Number.isInteger(Number(value))) return undefined;
  const goFormat = goFormatOf(actual);
  if (goFormat !== undefined && isFormatted(node)) return typeError(path, node.format ?? "", goFormat);
  return typeError(path, expected, actual);
}

/** Numbers against range, format, minimum, maximum and multipleOf. */
export function findNumberErrors(value: number | RawNumber, node: SchemaNode, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const range = findRangeError(value, node, path);
  if (range !== undefined) errors.push(range);
  const isInteger = jsonTypeOf(value) === "integer";
  const number = Number(value);
  const bound = (limit: number) => goNumber(isInteger ? Math.trunc(limit) : limit);
  const say = (words: string) =>
    errors.push({ path: path.print(), type: "invalid", value, detail: `${path.print()} in body should be ${words}` });
  if (node.multipleOf !== undefined && !isMultiple(number, node.multipleOf)) {
    say(`a multiple of ${bound(node.multipleOf)}`);
  }
  if (node.minimum !== undefined) {
    if (node.exclusiveMinimum === true && number <= node.minimum) say(`greater than ${bound(node.minimum)}`);
    if (node.exclusiveMinimum !== true && number < node.minimum) say(`greater than or equal to ${bound(node.minimum)}`);
  }
  if (node.maximum !== undefined) {
    if (node.exclusiveMaximum === true && number >= node.maximum) say(`less than ${bound(node.maximum)}`);
    if (node.exclusiveMaximum !== true && number > node.maximum) say(`less than or equal to ${bound(node.maximum)}`);
  }
  return errors;
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
  if (node.minLength !== undefined && codePoints(value) < node.minLength) {
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
  if (value !== null && choices.some((choice) => isSame(choice, value))) return undefined;
  const quoted = choices.map((choice) => JSON.stringify(typeof choice === "string" ? choice : JSON.stringify(choice)));
  return { path: path.print(), type: "notSupported", value, detail: `supported values: ${quoted.join(", ")}` };
}

function typeError(path: FieldPath, expected: string, actual: string): FieldError {
  const where = path.print();
  const detail = `${where} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  return { path: where, type: "typeInvalid", value: actual, detail };
}

/** A format that Kubernetes knows replaces the type's name in the message. */
function isFormatted(node: SchemaNode): boolean {
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

function findRangeError(value: number | RawNumber, node: SchemaNode, path: FieldPath): FieldError | undefined {
  if (node.type !== "integer") return undefined;
  const text = value instanceof RawNumber ? value.token : String(value);
  const number = Number(text);
  const fits =
    Number.isInteger(number) && (node.format === "int32" ? number === (number | 0) : Math.abs(number) < 2 ** 63);
  if (fits) return undefined;
  const kind =
    node.format === "int32" || node.format === "int64"
      ? `integer with format ${node.format}`
      : "integer (default format)";
  return { path: "", type: "invalid", value: "", detail: `Checked value must be of type ${kind} in ${path.print()}` };
}

function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return true;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return Number.isInteger(quotient) || Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

function isSame(choice: unknown, value: unknown): boolean {
  if (jsonEquals(choice, value)) return true;
  const isNumber = typeof choice === "number" || choice instanceof RawNumber;
  return isNumber && (typeof value === "number" || value instanceof RawNumber) && Number(choice) === Number(value);
}

/** A number as Go prints it with %v. */
function goNumber(value: number): string {
  const text = String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}
