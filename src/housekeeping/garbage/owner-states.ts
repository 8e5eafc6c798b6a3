import type { ApiObject, OwnerReference } from "#api/meta/object-meta.ts";
import type { Client } from "#client/client.ts";
import type { ServedResources } from "#housekeeping/served-resources.ts";
import { deletionOf, type GraphNode, type OwnershipGraph } from "./ownership-graph.ts";

/**
 * What is known of an owner: there; waiting for its dependents to go; gone or never been; there, but in another namespace, which
 * counts as gone; of a kind that nobody serves; or of a kind that lives in namespaces while the dependent does not, so that
 * nobody can say where to look. The last two count as there: what cannot be known deletes nothing.
 */
export type OwnerState = "alive" | "waiting" | "absent" | "elsewhere" | "unknown" | "unresolvable";

export interface OwnerFact {
  readonly reference: OwnerReference;
  readonly state: OwnerState;
}

export interface OwnerLookup {
  readonly client: Client;
  readonly served: ServedResources;
  readonly graph: OwnershipGraph;
}

/** Finds out about every owner of an object; an absence is believed only after a read. */
export function ownerStates(lookup: OwnerLookup, dependent: ApiObject): Promise<readonly OwnerFact[]> {
  const references = dependent.metadata.ownerReferences ?? [];
  return Promise.all(
    references.map(async (reference) => ({ reference, state: await stateOf(lookup, dependent, reference) })),
  );
}

/** Whether there is nothing to find out: the graph knows every owner, and none is on its way out. */
export function hasOnlyLivingOwners(graph: OwnershipGraph, { owners, namespace }: GraphNode): boolean {
  return owners.every(({ uid }) => {
    const owner = graph.get(uid);
    return owner !== undefined && owner.deletion !== "foreground" && isReachable(owner, namespace);
  });
}

async function stateOf(
  { client, served, graph }: OwnerLookup,
  { metadata }: ApiObject,
  reference: OwnerReference,
): Promise<OwnerState> {
  const node = graph.get(reference.uid);
  if (node !== undefined && isReachable(node, metadata.namespace)) {
    return node.deletion === "foreground" ? "waiting" : "alive";
  }
  const resource = served.ofKind(reference.apiVersion, reference.kind);
  if (resource === undefined) return graph.hasSeenGoing(reference.uid) ? "absent" : "unknown";
  if (resource.namespaced && metadata.namespace === undefined) return "unresolvable";
  const key =
    resource.namespaced && metadata.namespace !== undefined
      ? { namespace: metadata.namespace, name: reference.name }
      : { name: reference.name };
  const found = await client.get(resource, key);
  if (found?.metadata.uid === reference.uid) return deletionOf(found.metadata) === "foreground" ? "waiting" : "alive";
  return node === undefined ? "absent" : "elsewhere";
}

/** An owner lives where its dependent does, or in no namespace. */
function isReachable(owner: GraphNode, namespace: string | undefined): boolean {
  return owner.namespace === undefined || owner.namespace === namespace;
}
