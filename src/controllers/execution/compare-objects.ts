import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { isJsonObject, jsonEquals, member } from "#base/json.ts";

/**
 * Whether a member's object still is what we sent, without asking the member: everything we want is there, and nobody but us (and
 * whoever reports status) has written anything beside it. What the member's server filled in as defaults belongs to nobody.
 */
export function isAsSent(desired: Fields, observed: ApiObject, manager: string): boolean {
  const present = desired["status"] === undefined ? observed : withoutStatus(observed);
  return covers(present, desired) && !isTouchedByOthers(observed, { desired, manager });
}

/** Whether every field of `wanted` is in `present` with the same value; lists must have the same length. */
export function covers(present: unknown, wanted: unknown): boolean {
  if (present === wanted) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(present) &&
      present.length === wanted.length &&
      wanted.every((item, index) => covers(present[index], item))
    );
  }
  if (!isJsonObject(wanted)) return jsonEquals(present, wanted);
  if (!isJsonObject(present)) return isEmpty(wanted) && present === undefined;
  for (const key in wanted) {
    const value = member(wanted, key);
    if (value !== undefined && value !== null && !covers(member(present, key), value)) return false;
  }
  return true;
}

/** Servers drop empty objects and lists: not being there is the same. */
function isEmpty(value: object): boolean {
  return Object.values(value).every(
    (each) => each === undefined || each === null || (typeof each === "object" && isEmpty(each)),
  );
}

function withoutStatus({ status: _, ...rest }: ApiObject): Fields {
  return rest;
}

/**
 * Others who wrote anything but status that we do not want as it is: a field that the member decides and we keep belongs to both. Objects
 * without managed fields tell nothing and count as touched.
 */
function isTouchedByOthers(
  { metadata }: ApiObject,
  { desired, manager }: { readonly desired: Fields; readonly manager: string },
): boolean {
  const entries = metadata.managedFields ?? [];
  if (entries.length === 0) return true;
  return entries.some(
    (entry) => entry.manager !== manager && entry.subresource === undefined && touchesContent(entry.fieldsV1, desired),
  );
}

/** Controllers leave annotations and owner references on what they run; only the content counts. */
function touchesContent(fields: unknown, desired: Fields): boolean {
  if (!isJsonObject(fields)) return false;
  const { "f:metadata": _, "f:status": __, ...content } = fields;
  return reachesBeyond(content, desired);
}

/** Whether a set of fields has one that the value has not. */
function reachesBeyond(fields: unknown, value: unknown): boolean {
  if (!isJsonObject(fields)) return false;
  return Object.entries(fields).some(([key, below]) => {
    if (key === ".") return false;
    const found = reachedBy(key, value);
    return found === undefined || found === null || reachesBeyond(below, found);
  });
}

/** What a step of a field set leads to: `f:` a member, `k:` the item with these keys, `v:` the item of this value. */
function reachedBy(step: string, value: unknown): unknown {
  const [kind, name] = [step.slice(0, 2), step.slice(2)];
  if (kind === "f:") return isJsonObject(value) ? member(value, name) : undefined;
  const wanted = kind === "k:" || kind === "v:" ? parsed(name) : undefined;
  return wanted === undefined || !Array.isArray(value) ? undefined : value.find((item) => covers(item, wanted));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not a field set as servers write it
  }
}
