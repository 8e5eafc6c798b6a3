import { goFloat, goQuote } from "#base/go-text.ts";
import { isInt64, RawNumber } from "#base/json.ts";

/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`. Error texts on the wire are made of it. */
export function goPrint(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (value instanceof RawNumber) return isInt64(value.token) ? value.token : goFloat(value.valueOf());
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : goFloat(value);
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([key, child]) => `${key}:${goPrint(child)}`).join(" ")}]`;
}

/** A JSON value as Go's `%s` prints it: texts as they are, and a complaint about whatever is none: `%!s(int64=1)`. */
export function goText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "%!s(<nil>)";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (typeof value === "boolean") return `%!s(bool=${value})`;
  const text = goPrint(value);
  if (typeof value === "number" || value instanceof RawNumber)
    return `%!s(${/^[+-]?[0-9]+$/.test(text) ? "int64" : "float64"}=${text})`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([key, child]) => `${key}:${goText(child)}`).join(" ")}]`;
}

/** A JSON value as Go's `%#v` prints it: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (typeof value !== "object" || value instanceof RawNumber) return goPrint(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${members.map(([key, child]) => `${goQuote(key)}:${goSyntax(child)}`).join(", ")}}`;
}

/** What Go's JSON decoder calls the kind of a value: `object`, `array`, `string`, … */
export function goTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return value instanceof RawNumber ? "number" : typeof value;
}
