import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";
import { isMadeHere } from "./brief-writes.ts";

/** How a server is told to forget who owns which field. */
const forgotten = [{}];

/**
 * A client that lets the server forget who owns which field of works and bindings once it updates them, where nobody else owns any: the server
 * then does not find it out anew at every later write, which is a third of what such a write costs it. Whoever is the first to apply one
 * owns what they apply, as with every object that nobody has applied before.
 */
export function untrackedWrites(client: Client): Client {
  return {
    ...client,
    update: (resource, object) =>
      client.update(resource, isUntracked(resource, object.metadata) ? withoutOwners(object) : object),
  };
}

function isUntracked(resource: ResourceId, { managedFields }: { readonly managedFields?: unknown }): boolean {
  return isMadeHere(resource) && managedFields === undefined;
}

function withoutOwners<T extends { readonly metadata: object }>(object: T): T {
  return { ...object, metadata: { ...object.metadata, managedFields: forgotten } };
}
