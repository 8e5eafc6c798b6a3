import { type FieldError, invalid } from "#base/field-error.ts";
import { goFloat } from "#base/go-text.ts";
import { RawNumber } from "#base/json.ts";
import type { FieldPath } from "./field-path.ts";
import { isJsonInteger, jsonTypeOf } from "./json-type.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * Numbers against range, format, multipleOf, minimum and maximum. As in Kubernetes, a limit that is itself no integer is reported where
 * the type is integer, and an integer is compared with the integer part of a limit.
 */
export function findNumberErrors(value: number | RawNumber, node: SchemaNode, path: FieldPath): FieldError[] {
  const where = path.print();
  const errors: FieldError[] = [];
  const number = Number(value);
  const fits = (what: string, candidate: number): boolean => {
    const kind = unfitFor(candidate, node);
    if (kind === undefined) return true;
    errors.push({ path: "", type: "invalid", value: "", detail: `${what} value must be of type ${kind} in ${where}` });
    return false;
  };
  const isInteger = jsonTypeOf(value) === "integer";
  /** The limit as it is compared, and how it and the value are printed; undefined where there is none. */
  const limit = (what: string, bound: number | undefined): Limit | undefined => {
    if (bound === undefined) return undefined;
    if (fits(what, bound) && isInteger) return { bound: Math.trunc(bound), text: String(Math.trunc(bound)), value };
    return { bound, text: goFloat(bound), value: isInteger ? new RawNumber(`${number}.0`) : value };
  };
  const say = (words: string, shown: Limit) =>
    errors.push(invalid(where, shown.value, `${where} in body should be ${words} ${shown.text}`));
  fits("Checked", number);
  const factor = limit("MultipleOf", node.multipleOf);
  if (factor !== undefined && factor.bound <= 0) {
    const detail = `factor MultipleOf declared for ${where} must be positive: ${factor.text}`;
    errors.push(invalid(where, factor.bound, detail));
  } else if (factor !== undefined && !isMultiple(number, factor.bound)) say("a multiple of", factor);
  const least = limit("Minimum boundary", node.minimum);
  if (least !== undefined && (node.exclusiveMinimum === true ? number <= least.bound : number < least.bound)) {
    say(node.exclusiveMinimum === true ? "greater than" : "greater than or equal to", least);
  }
  const most = limit("Maximum boundary", node.maximum);
  if (most !== undefined && (node.exclusiveMaximum === true ? number >= most.bound : number > most.bound)) {
    say(node.exclusiveMaximum === true ? "less than" : "less than or equal to", most);
  }
  return errors;
}

interface Limit {
  readonly bound: number;
  readonly text: string;
  readonly value: number | RawNumber;
}

/** What the node's type and format ask for, where the number does not fit into it. */
function unfitFor(number: number, node: SchemaNode): string | undefined {
  if (node.type === "integer") {
    const isShort = node.format === "int32";
    if (Number.isInteger(number) && (isShort ? number === (number | 0) : Math.abs(number) < 2 ** 63)) return undefined;
    return isShort || node.format === "int64" ? `integer with format ${node.format}` : "integer (default format)";
  }
  const isNarrow = node.type === "number" && node.format === "float";
  return isNarrow && !Number.isFinite(Math.fround(number)) ? "number with format float" : undefined;
}

function isMultiple(value: number, factor: number): boolean {
  return isJsonInteger(factor < 1 ? (1 / factor) * value : value / factor);
}
