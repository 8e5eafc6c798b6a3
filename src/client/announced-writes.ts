import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "./client.ts";

/**
 * A client that tells what its writes came to. Over a network an answer is here before the watch tells of the same: whoever keeps a
 * copy need not decide by an old one meanwhile, and write the same twice.
 */
export function announcingWrites(client: Client): Client {
  const listeners = new Map<string, Set<(object: ApiObject) => void>>();
  const announced = async (resource: ResourceId, written: Promise<ApiObject>) => {
    const object = await written;
    for (const listener of [...(listeners.get(keyOf(resource)) ?? [])]) listener(object);
    return object;
  };
  return {
    ...client,
    create: (resource, object) => announced(resource, client.create(resource, object)),
    update: (resource, object) => announced(resource, client.update(resource, object)),
    updateStatus: (resource, object) => announced(resource, client.updateStatus(resource, object)),
    patch: (resource, key, request) => announced(resource, client.patch(resource, key, request)),
    onWritten(resource, listener) {
      const key = keyOf(resource);
      const present = listeners.get(key) ?? new Set();
      listeners.set(key, present.add(listener));
      return () => void present.delete(listener);
    },
  };
}

function keyOf({ group, version, resource }: ResourceId): string {
  return `${group}/${version}/${resource}`;
}
