import type { ApiObject } from "#api/meta/object-meta.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import type { NewObject } from "#client/client.ts";

/** Puts an object into the store as it is, past admission and schema: as one that was written before rules became stricter. */
export async function seedObject({ server }: EmbeddedCluster, plural: string, object: NewObject): Promise<void> {
  const group = object.apiVersion.includes("/") ? object.apiVersion.split("/")[0] : "";
  const { namespace, name } = object.metadata;
  const key = [group, plural, ...(namespace === undefined ? [] : [namespace]), name].join("/");
  const metadata = {
    uid: `uid-of-${name}`,
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
    ...object.metadata,
  };
  const created = await server.core.store.create(
    key,
    (revision) => ({ ...object, metadata: { ...metadata, resourceVersion: String(revision) } }) as unknown as ApiObject, // as above
  );
  if (!created.ok) throw new Error(`cannot seed ${key}: it is there already`);
}
