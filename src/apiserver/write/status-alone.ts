import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { isJsonObject } from "#base/json.ts";

/** What every object has beside its content. */
const envelope: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * A write of a status without what it leaves as it is stored: a caller in this process hands back the very object that it was given,
 * and a patch says itself what it is about. Nothing of the rest need be read again.
 */
export function statusAlone(call: ApiCall, stored: ApiObject | undefined): ApiCall {
  const { body } = call;
  if (call.path.subresource !== "status" || stored === undefined || !isJsonObject(body)) return call;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(body)) {
    if (envelope.has(key) || key === "status") kept.push([key, value]);
    else if (value !== stored[key as keyof ApiObject]) return call;
  }
  return { ...call, body: Object.fromEntries(kept) as ApiCall["body"] }; // members of the body
}

/** What a patch of the status need be applied to: all of the object, unless the patch speaks of nothing but the status. */
export function patchedPart({ path, patchType, body }: ApiCall, current: ApiObject): ApiObject {
  if (path.subresource !== "status" || patchType !== "merge" || !isJsonObject(body)) return current;
  if (!Object.keys(body).every((key) => envelope.has(key) || key === "status")) return current;
  const { apiVersion, kind, metadata, status } = current;
  return { apiVersion, kind, metadata, ...(status === undefined ? {} : { status }) };
}
