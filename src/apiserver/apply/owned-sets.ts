import type { Draft, ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import { isJsonObject, type Json, type JsonObject, member, mergeMembers, setMember } from "#base/json.ts";
import { countKeys, roomFor } from "#base/roomy-object.ts";
import { soleKeyElement } from "./path-element.ts";

/** Stands for any uid in what many sets have in common. */
export const someUid = "00000000-0000-0000-0000-000000000000";

/** The uid of the one owner that all of these objects name, if they name any; undefined where they name several, or none. */
export function soleOwner(...objects: readonly (object | undefined)[]): string | undefined {
  let sole: string | undefined;
  for (const object of objects) {
    const owners = ownersOf(object);
    if (owners === undefined) continue;
    const uid: unknown = Array.isArray(owners) && owners.length === 1 ? owners[0]?.uid : undefined;
    if (typeof uid !== "string" || uid === someUid || (sole !== undefined && uid !== sole)) return undefined;
    sole = uid;
  }
  return sole;
}

/** Whether an object names owners. */
export function hasOwners(object: object | undefined): boolean {
  return ownersOf(object) !== undefined;
}

function ownersOf(object: object | undefined): unknown {
  const metadata = object === undefined ? undefined : member(object, "metadata");
  return isJsonObject(metadata) ? metadata["ownerReferences"] : undefined;
}

/** An object that names one owner, as if that had another uid, and with other entries; it is for comparing and shares all else. */
export function asOwnedBy<T extends object>(object: T, uid: string, entries: unknown): T {
  const { metadata } = object as T & Pick<Draft, "metadata">; // who owns anything has it
  const owner = metadata.ownerReferences?.[0];
  const ownerReferences = owner === undefined ? undefined : [{ ...owner, uid }];
  const own = {
    ...(ownerReferences && { ownerReferences }),
    ...(entries === undefined ? {} : { managedFields: entries }),
  };
  return mergeMembers<unknown>(object as Record<string, unknown>, {
    metadata: mergeMembers<unknown>(metadata as Record<string, unknown>, own),
  }) as T;
}

/** A set that is about one owner, as if that had another uid; itself where it says nothing of that owner. */
export function reowned(set: JsonObject, from: string, to: string): JsonObject {
  const metadata = set["f:metadata"];
  const owners = isJsonObject(metadata) ? metadata["f:ownerReferences"] : undefined;
  if (!isJsonObject(owners) || !isJsonObject(metadata)) return set;
  const [was, is] = [soleKeyElement("uid", from), soleKeyElement("uid", to)];
  if (!Object.hasOwn(owners, was)) return set;
  const renamed = roomFor<Json>(countKeys(owners));
  for (const key in owners) setMember(renamed, key === was ? is : key, owners[key]);
  return mergeMembers(set, { "f:metadata": mergeMembers(metadata, { "f:ownerReferences": renamed }) });
}

/** Whether entries are about no owner but one; a write of the status may have left others behind. */
export function areAboutOnly(uid: string, entries: readonly ManagedFieldsEntry[]): boolean {
  const own = soleKeyElement("uid", uid);
  return entries.every(({ fieldsV1 }) => ownersIn(fieldsV1).every((key) => key === "." || key === own));
}

function ownersIn(set: unknown): readonly string[] {
  const metadata = isJsonObject(set) ? set["f:metadata"] : undefined;
  const owners = isJsonObject(metadata) ? metadata["f:ownerReferences"] : undefined;
  return isJsonObject(owners) ? Object.keys(owners) : [];
}
