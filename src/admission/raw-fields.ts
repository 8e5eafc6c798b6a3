import type { Fields } from "#api/meta/object-meta.ts";
import { isJsonObject, member } from "#base/json.ts";

/**
 * Mutation comes before the schema has judged an object: what is not of the expected shape is passed over here and refused later.
 */

/** A member that is an object; undefined otherwise. */
export function objectIn(parent: unknown, key: string): Fields | undefined {
  const value = isJsonObject(parent) ? member(parent, key) : undefined;
  return isJsonObject(value) ? value : undefined;
}

/** The objects of a member that is a list. */
export function objectsIn(parent: unknown, key: string): Fields[] {
  const value = isJsonObject(parent) ? member(parent, key) : undefined;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Whether a member is absent, null or an empty string: nothing that a user said. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
