import { isJsonObject, member, quoted, setMember, stringifyJson } from "./json.ts";
import { sortFew } from "./sort-few.ts";

/** The text of a value, the same however its members are ordered; what is undefined is absent. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean" || value === null) return String(value);
  if (!isJsonObject(value)) return value === undefined ? "null" : stringifyJson(value);
  let text = "{";
  for (const key of sortedKeys(value)) {
    const each = member(value, key);
    if (each !== undefined) text += `${text === "{" ? "" : ","}${quoted(key)}:${sortedJson(each)}`;
  }
  return `${text}}`;
}

/** The value with its members in order, all the way down, as Go prints maps. */
export function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const key of sortedKeys(value)) setMember(sorted, key, withSortedMembers(member(value, key)));
  return sorted;
}

const isIndex = /^(0|[1-9][0-9]*)$/;
const maxIndex = 2 ** 32 - 2;

function startsWithDigit(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Names that are array indexes come first, by their value: hashes that members keep were made of objects, which have them so. */
function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object); // has the indexes first
  if (keys.length === 0 || !startsWithDigit(keys[0]!)) return sortFew(keys, inOrder);
  const names = keys.findIndex((key) => !isIndex.test(key) || Number(key) > maxIndex);
  if (names === -1) return keys;
  const sorted = sortFew(keys.slice(names), inOrder);
  return names === 0 ? sorted : [...keys.slice(0, names), ...sorted];
}
