import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import { membersBut } from "#base/json.ts";
import { shareEqual } from "#base/share-equal.ts";
import type { Client } from "#client/client.ts";

const made: ReadonlySet<string> = new Set([
  Works.kind,
  ResourceBindings.namespaced.kind,
  ResourceBindings.cluster.kind,
]);
const status: ReadonlySet<string> = new Set(["status"]);
const spec: ReadonlySet<string> = new Set(["spec"]);

/** Whether objects are mostly the controllers' own. */
export function isMadeHere({ kind }: ResourceId): boolean {
  return made.has(kind);
}

/**
 * A client that sends of works and bindings what the server takes over: with an update everything but the status, with a status
 * everything but the spec. What is not sent is not read, completed and judged there.
 */
export function briefWrites(client: Client): Client {
  return {
    ...client,
    async update(resource, object) {
      if (!isMadeHere(resource)) return client.update(resource, object);
      return shareEqual(await client.update(resource, membersBut<ApiObject>(object, status)), object);
    },
    async updateStatus(resource, object) {
      if (!isMadeHere(resource)) return client.updateStatus(resource, object);
      return shareEqual(await client.updateStatus(resource, membersBut<ApiObject>(object, spec)), object);
    },
  };
}
