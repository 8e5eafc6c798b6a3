import { RawNumber } from "#base/json.ts";

/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`. Error texts on the wire are made of it. */
export function goPrint(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (value instanceof RawNumber) return value.token;
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([key, child]) => `${key}:${goPrint(child)}`).join(" ")}]`;
}

/** What Go's JSON decoder calls the kind of a value: `object`, `array`, `string`, … */
export function goTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return value instanceof RawNumber ? "number" : typeof value;
}
