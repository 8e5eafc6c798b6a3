import type { CallOptions, ObjectList, WatchSource } from "#api/meta/api-call.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Client } from "./client.ts";

/** What lists did not show. */
export interface ListingNotes {
  /** The caller may not list this; it is taken to be empty. */
  readonly refused: (resource: ResourceId, namespace: string | undefined) => void;
  /** The server did not answer as it should. */
  readonly failed: (error: unknown) => void;
}

type ListingOptions = CallOptions & { readonly namespace?: string };

/**
 * A client that only looks: a watch tells the present state by one list, and nothing afterwards. It takes no more than the right to list,
 * and nothing is ever written.
 */
export function listingClient(client: Pick<Client, "get" | "list">, notes: ListingNotes): Client {
  const refuse = () => Promise.reject(new Error("cannot write: this is only a look"));
  const listed = async (resource: ResourceId, options: ListingOptions = {}): Promise<ObjectList> => {
    try {
      return await client.list(resource, options);
    } catch (error: unknown) {
      const code = error instanceof StatusError ? error.code : undefined;
      if (code === 403) notes.refused(resource, options.namespace);
      else if (code !== 404) notes.failed(error); // what is not served any more has no objects
      if (code === 403 || code === 404) return { resourceVersion: "0", items: [] };
      throw error;
    }
  };
  return {
    get: (resource, key) => client.get(resource, key),
    list: (resource, options) => client.list(resource, options),
    async watch(resource, { namespace, labelSelector, fieldSelector } = {}) {
      const { items, resourceVersion } = await listed(resource, {
        ...(namespace === undefined ? {} : { namespace }),
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      });
      return told(items, resourceVersion);
    },
    create: refuse,
    update: refuse,
    updateStatus: refuse,
    patch: refuse,
    delete: refuse,
    post: refuse,
  };
}

function told(items: ObjectList["items"], resourceVersion: string): WatchSource {
  return {
    start({ event }) {
      for (const object of items) event({ type: "ADDED", object });
      event({ type: "BOOKMARK", resourceVersion, initialEventsEnd: true });
      return () => {};
    },
  };
}
