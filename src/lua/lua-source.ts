import { RawNumber } from "#base/json.ts";
import { LuaError } from "./lua-error.ts";

/** How deep a value may nest: Lua's own parser takes no more than about twice this. */
const maxDepth = 60;

/**
 * The value as a Lua expression. Lists are marked with `A`, so that empty ones stay lists. Members that are null are left out, as
 * Karmada's scripts expect; nulls in lists keep their place as `N`.
 */
export function luaSourceOf(value: unknown, depth = 0): string {
  if (depth > maxDepth) throw new LuaError(`the object nests deeper than ${maxDepth}`);
  if (value === null || value === undefined) return "nil";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return numeral(value);
  if (value instanceof RawNumber) return numeral(value.valueOf());
  if (Array.isArray(value)) {
    const items = value.map((item, index) => `[${index + 1}]=${item === null ? "N" : luaSourceOf(item, depth + 1)}`);
    return `A{${items.join(",")}}`;
  }
  const members = Object.entries(value).flatMap(([key, item]) =>
    item === null || item === undefined ? [] : [`[${quoted(key)}]=${luaSourceOf(item, depth + 1)}`],
  );
  return `{${members.join(",")}}`;
}

function numeral(value: number): string {
  if (!Number.isFinite(value)) throw new LuaError(`the object has a number that Lua cannot hold: ${value}`);
  return value < 0 || Object.is(value, -0) ? `(${value})` : String(value);
}

function quoted(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\0", "\\000");
  return `"${escaped}"`;
}
