import type { ObjectList } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { isJsonObject, type Json, type JsonObject, member, membersBut } from "#base/json.ts";

/** Which parts of objects are taken over. */
export interface ObjectParts {
  /**
   * Leaves out who owns which field: it takes as much room as the rest, and a server that is not told of it keeps what it has. Where others
   * than this manager own something, an empty list is left of it.
   */
  readonly withoutOwnersBut?: string | undefined;
  /**
   * Leaves out which fields this manager owns, who knows what it wrote, and which ones subresources brought: that they own some is left. It
   * takes as much room as the rest.
   */
  readonly contentOwnersBut?: string | undefined;
}

const owners: ReadonlySet<string> = new Set(["managedFields"]);
const owned: ReadonlySet<string> = new Set(["fieldsV1"]);
const others: readonly never[] = [];

/** An object as an API server sends it; throws when it lacks what every object has. */
export function objectOf(value: unknown, { withoutOwnersBut, contentOwnersBut }: ObjectParts = {}): ApiObject {
  const metadata = isJsonObject(value) ? member(value, "metadata") : undefined;
  if (!isJsonObject(metadata)) throw new Error("cannot use the server's answer: an object has no metadata");
  for (const field of ["name", "resourceVersion"]) {
    const found = member(metadata, field);
    if (typeof found !== "string" || found === "")
      throw new Error(`cannot use the server's answer: an object has no metadata.${field}`);
  }
  for (const field of ["labels", "annotations"]) {
    const found = member(metadata, field);
    if (found !== undefined && found !== null && !isTextMap(found))
      throw new Error(`cannot use the server's answer: an object has metadata.${field} that are no texts`);
  }
  const draft = value as { metadata: unknown }; // nobody else has it yet
  if (withoutOwnersBut !== undefined) draft.metadata = withoutOwners(metadata, withoutOwnersBut);
  else if (contentOwnersBut !== undefined) draft.metadata = withContentOwners(metadata, contentOwnersBut);
  return value as unknown as ApiObject; // just made sure, as far as anything of ours depends on it
}

/** A page of a list. Its items carry their kind, which on the wire only the list has. */
export function listOf(value: JsonObject, parts: ObjectParts = {}): ObjectList {
  const metadata = member(value, "metadata");
  const items = member(value, "items") ?? [];
  const resourceVersion = isJsonObject(metadata) ? member(metadata, "resourceVersion") : undefined;
  if (typeof resourceVersion !== "string" || !Array.isArray(items))
    throw new Error("cannot use the server's answer: it is no list");
  const next = member(metadata as JsonObject, "continue"); // an object, as it has a resourceVersion
  const apiVersion = member(value, "apiVersion");
  const kind = String(member(value, "kind")).replace(/List$/, "");
  return {
    resourceVersion,
    ...(typeof next === "string" && next !== "" ? { continue: next } : {}),
    items: items.map((item: unknown) => objectOf(isJsonObject(item) ? { apiVersion, kind, ...item } : item, parts)),
  };
}

function withoutOwners(metadata: JsonObject, manager: string): JsonObject {
  const entries = member(metadata, "managedFields");
  if (!Array.isArray(entries) || entries.every((entry) => isJsonObject(entry) && entry["manager"] === manager))
    return membersBut(metadata, owners);
  return { ...membersBut(metadata, owners), managedFields: others };
}

function withContentOwners(metadata: JsonObject, manager: string): JsonObject {
  const entries = member(metadata, "managedFields");
  if (!Array.isArray(entries)) return metadata;
  const told = entries.map((entry: Json) => {
    if (!isJsonObject(entry)) return entry;
    return entry["manager"] === manager || entry["subresource"] !== undefined ? membersBut(entry, owned) : entry;
  });
  return { ...metadata, managedFields: told };
}

function isTextMap(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === "string");
}
