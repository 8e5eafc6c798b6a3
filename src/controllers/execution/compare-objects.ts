import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { isJsonObject, jsonEquals, member } from "#base/json.ts";

/**
 * Whether a member's object still is what we sent, without asking the member: everything we want is there, and nobody but us (and
 * whoever reports status) has written anything beside it. What the member's server filled in as defaults belongs to nobody.
 */
export function isAsSent(desired: Fields, observed: ApiObject, manager: string): boolean {
  return covers(withoutServerFields(observed), desired) && !isTouchedByOthers(observed, manager);
}

/** Whether every field of `wanted` is in `present` with the same value; lists must have the same length. */
export function covers(present: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(present) &&
      present.length === wanted.length &&
      wanted.every((item, index) => covers(present[index], item))
    );
  }
  if (!isJsonObject(wanted)) return jsonEquals(present, wanted);
  if (!isJsonObject(present)) return isEmpty(wanted) && present === undefined;
  return Object.keys(wanted).every((key) => {
    const value = member(wanted, key);
    return value === undefined || value === null || covers(member(present, key), value);
  });
}

/** Servers drop empty objects and lists: not being there is the same. */
function isEmpty(value: object): boolean {
  return Object.values(value).every(
    (each) => each === undefined || each === null || (typeof each === "object" && isEmpty(each)),
  );
}

function withoutServerFields({ status: _, ...rest }: ApiObject): Fields {
  return rest;
}

/** Other managers of anything but status. Objects without managed fields tell nothing and count as touched. */
function isTouchedByOthers({ metadata }: ApiObject, manager: string): boolean {
  const entries = metadata.managedFields ?? [];
  if (entries.length === 0) return true;
  return entries.some(
    (entry) => entry.manager !== manager && entry.subresource === undefined && touchesContent(entry.fieldsV1),
  );
}

/** Controllers leave annotations and owner references on what they run; only the content counts. */
function touchesContent(fields: unknown): boolean {
  return isJsonObject(fields) && Object.keys(fields).some((key) => key !== "f:metadata" && key !== "f:status");
}
