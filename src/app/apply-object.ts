import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Client, NewObject } from "#client/client.ts";

export type ApplyOutcome = "created" | "configured" | "unchanged";

/** Server-side apply, with the whole object: others' fields stay, and where nothing differs the server writes nothing. */
export async function applyObject(client: Client, resource: ResourceId, object: NewObject): Promise<ApplyOutcome> {
  const { name, namespace } = object.metadata;
  const key = { name: name!, ...(namespace !== undefined && { namespace }) };
  const before = await client.get(resource, key);
  const after = await client.patch(resource, key, { type: "apply", patch: object, force: true });
  if (before === undefined) return "created";
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? "unchanged" : "configured";
}
