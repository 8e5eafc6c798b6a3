import { createHash } from "node:crypto";
import { isJsonObject, stringifyJson } from "#base/json.ts";

/** A hash of a value, the same however its members are ordered; what is undefined is absent. */
export function jsonHash(value: unknown): string {
  return createHash("sha256")
    .update(stringifyJson(sorted(value)))
    .digest("hex")
    .slice(0, 32);
}

/** The same value however its members were ordered. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}
