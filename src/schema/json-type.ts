import { isInt64, RawNumber } from "#base/json.ts";

export type JsonType = "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";

/** The JSON type of a value as Go's decoder sees it: `1.0` and `1e3` are numbers, `1` is an integer. */
export function jsonTypeOf(value: unknown): JsonType {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "number";
    default:
      if (value === null || value === undefined) return "null";
      if (value instanceof RawNumber) return isInt64(value.token) ? "integer" : "number";
      return Array.isArray(value) ? "array" : "object";
  }
}

/** Whether Kubernetes takes a number that is not spelled as an integer for one: it is whole, or very nearly so, and a double holds it exactly. */
export function isJsonInteger(number: number): boolean {
  if (!(Math.abs(number) <= Number.MAX_SAFE_INTEGER)) return false;
  const whole = Math.trunc(number);
  if (number === whole) return true;
  const difference = Math.abs(number - whole);
  return number > 0 && whole !== 0 && difference / (number + whole) < 1e-9;
}
