import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { isJsonObject, type JsonObject, membersBut } from "#base/json.ts";

/** What every object has beside its content. */
const envelope: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
const managers: ReadonlySet<string> = new Set(["managedFields"]);

/**
 * A write without what it leaves as it is stored: a caller in this process hands back the very object that it was given. Nothing of that
 * need be read again: who owns which field, and, where the status is written, all that is no status.
 */
export function writtenPart(call: ApiCall, stored: ApiObject | undefined): ApiCall {
  const { body } = call;
  if (stored === undefined || !isJsonObject(body)) return call;
  const part = call.path.subresource === "status" ? statusAlone(body, stored) : body;
  const { metadata } = part;
  const keepsManagers =
    isJsonObject(metadata) &&
    metadata["managedFields"] !== undefined &&
    (metadata["managedFields"] as unknown) === stored.metadata.managedFields;
  if (keepsManagers) return { ...call, body: { ...part, metadata: membersBut(metadata, managers) } };
  return part === body ? call : { ...call, body: part };
}

function statusAlone(body: JsonObject, stored: ApiObject): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(body)) {
    if (envelope.has(key) || key === "status") kept.push([key, value]);
    else if ((value as unknown) !== stored[key as keyof ApiObject]) return body;
  }
  return Object.fromEntries(kept) as JsonObject; // members of the body
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
