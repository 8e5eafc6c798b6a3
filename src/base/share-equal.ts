import { isJsonObject, jsonEquals, member, setMember } from "./json.ts";
import { roomFor } from "./roomy-object.ts";

/**
 * A value like `fresh`, made of the parts of `known` that are equal: what both have takes room once, and whoever compares them later
 * sees at once that it is the same. Neither is changed.
 */
export function shareEqual<T>(fresh: T, known: unknown): T {
  return shared(fresh, known) as T; // equal to it
}

function shared(fresh: unknown, known: unknown): unknown {
  if (fresh === known) return known; // of equal texts, too, the one that is known
  if (typeof fresh !== "object" || fresh === null) return fresh;
  if (Array.isArray(fresh)) return Array.isArray(known) ? sharedList(fresh, known) : fresh;
  if (isJsonObject(fresh) && isJsonObject(known)) return sharedObject(fresh, known);
  return jsonEquals(fresh, known) ? known : fresh;
}

function sharedList(fresh: readonly unknown[], known: readonly unknown[]): readonly unknown[] {
  const parts = fresh.map((item, index) => shared(item, known[index]));
  return parts.length === known.length && parts.every((part, index) => part === known[index]) ? known : parts;
}

function sharedObject(fresh: object, known: object): object {
  const parts: unknown[] = [];
  let isSame = true;
  for (const key in fresh) {
    const was = member(known, key);
    const part = shared((fresh as Record<string, unknown>)[key], was);
    if (part !== was) isSame = false;
    parts.push(part);
  }
  if (isSame && Object.keys(known).length === parts.length) return known;
  const object = roomFor(parts.length);
  let index = 0;
  for (const key in fresh) setMember(object, key, parts[index++]);
  return object;
}
