import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";

/** Takes one finalizer from the object as it was read; a conflict when somebody changed it since. */
export async function releaseFinalizer(
  client: Client,
  { resource, object, finalizer }: { resource: ResourceId; object: ApiObject; finalizer: string },
): Promise<void> {
  const { uid, resourceVersion, finalizers = [] } = object.metadata;
  const rest = finalizers.filter((name) => name !== finalizer);
  const metadata = { uid, resourceVersion, finalizers: rest.length === 0 ? null : rest };
  await client.patch(resource, keyOf(object), { type: "merge", patch: { metadata } });
}
