import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { isJsonObject, type Json, type JsonObject, member, membersBut, mergeMembers } from "#base/json.ts";
import type { KeptParts } from "./settled-parts.ts";

/** What every object has beside its content. */
const envelope: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
const managers: ReadonlySet<string> = new Set(["managedFields"]);

/** What there is to read of a write. */
export interface WrittenPart {
  readonly call: ApiCall;
  /** Metadata that are as they were stored, in an object of its own, the spec that is, and a status that is kept already. */
  readonly kept?: KeptParts;
}

/** Finds the status that is kept and says the same. */
type FindStatus = (status: unknown) => object | undefined;

/**
 * A write without what it leaves as it is stored: a caller in this process hands back the very object that it was given. Nothing of that
 * need be read again: who owns which field, and, where the status is written, all that is no status.
 */
export function writtenPart(call: ApiCall, stored: ApiObject | undefined, keptLike: FindStatus): WrittenPart {
  const { body } = call;
  if (stored === undefined || !isJsonObject(body)) return { call };
  const part = call.path.subresource === "status" ? statusAlone(body, stored) : body;
  const known = part === body ? {} : knownBeside(stored, keptLike(part["status"]));
  const { metadata } = part;
  if (!isJsonObject(metadata) || !keepsManagers(metadata, stored))
    return part === body ? { call } : { call: { ...call, body: { ...part, ...known } }, kept: known };
  const rest = membersBut(metadata, managers);
  const read = { ...call, body: mergeMembers<Json>(part, known as JsonObject, { metadata: rest }) };
  const isSame = (metadata as unknown) === stored.metadata;
  return { call: read, kept: isSame ? { ...known, metadata: rest } : known };
}

/** What need not be read where the status is written: without its spec an object would be given an empty one. */
function knownBeside({ spec }: ApiObject & { readonly spec?: unknown }, status: object | undefined): KeptParts {
  return { ...(isJsonObject(spec) && { spec }), ...(status !== undefined && { status }) };
}

function keepsManagers({ managedFields }: JsonObject, stored: ApiObject): boolean {
  return managedFields !== undefined && (managedFields as unknown) === stored.metadata.managedFields;
}

function statusAlone(body: JsonObject, stored: ApiObject): JsonObject {
  for (const key in body) {
    const isRead = envelope.has(key) || key === "status";
    if (!isRead && (member(body, key) as unknown) !== stored[key as keyof ApiObject]) return body;
  }
  const { apiVersion, kind, metadata, status } = body;
  const alone: Record<string, unknown> = {};
  if (apiVersion !== undefined) alone["apiVersion"] = apiVersion;
  if (kind !== undefined) alone["kind"] = kind;
  if (metadata !== undefined) alone["metadata"] = metadata;
  if (status !== undefined) alone["status"] = status;
  return alone as JsonObject; // members of the body
}

/** What a patch need be applied to: all of the object but what it surely leaves alone. */
export function patchedPart({ path, patchType, body }: ApiCall, current: ApiObject): ApiObject {
  if (patchType !== "merge" || !isJsonObject(body)) return current;
  const part = path.subresource === "status" ? partOfStatus(body, current) : current;
  const patched = body["metadata"] ?? {};
  if (!isJsonObject(patched) || Object.hasOwn(patched, "managedFields")) return part;
  return { ...part, metadata: membersBut(part.metadata, managers) };
}

function partOfStatus(patch: JsonObject, current: ApiObject): ApiObject {
  if (!Object.keys(patch).every((key) => envelope.has(key) || key === "status")) return current;
  const { apiVersion, kind, metadata, status } = current;
  return { apiVersion, kind, metadata, ...(status === undefined ? {} : { status }) };
}
