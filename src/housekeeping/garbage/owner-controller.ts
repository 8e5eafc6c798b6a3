import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";
import { inParallel } from "#housekeeping/in-parallel.ts";
import { releaseFinalizer } from "#housekeeping/release-finalizer.ts";
import type { ResourceFeed } from "#housekeeping/resource-feed.ts";
import type { Controller } from "#runtime/controller.ts";
import { decideOwner, type OwnerFacts, type OwnerStep } from "./decide-owner.ts";
import type { GraphNode, OwnershipGraph } from "./ownership-graph.ts";
import { readNode } from "./read-node.ts";

export interface OwnerNeeds {
  readonly client: Client;
  readonly graph: OwnershipGraph;
  readonly feed: ResourceFeed;
}

interface Facts extends OwnerFacts {
  readonly resource: ResourceId;
}

/** Lets owners go that wait for their dependents. Keys are uids. */
export function ownerController({ client, graph, feed }: OwnerNeeds): Controller<Facts, OwnerStep> {
  return {
    name: "owner-deletion",
    watches: [
      (enqueue) =>
        graph.subscribe({
          owner: (uid, { initial }) => enqueue(uid, initial ? "background" : "user"),
          dependent: () => {},
        }),
    ],
    async gather(uid) {
      await feed.whenListed();
      const node = graph.get(uid);
      if (node === undefined) return undefined;
      const object = await readNode(client, node);
      const dependents = graph.dependentsOf(uid).filter((each) => each.uid !== uid);
      return object === undefined ? undefined : { resource: node.resource, object, dependents };
    },
    decide: decideOwner,
    async apply(step, { resource, object }) {
      switch (step.do) {
        case "orphan": {
          const [failure] = await inParallel(step.dependents, (node) => setFree(client, node, object.metadata.uid));
          if (failure !== undefined) throw failure.error;
          return;
        }
        case "release":
          return releaseFinalizer(client, { resource, object, finalizer: step.finalizer });
      }
    },
  };
}

/** Takes the references to one owner from a dependent. */
async function setFree(client: Client, node: GraphNode, owner: string): Promise<void> {
  const object = await readNode(client, node);
  const references = object?.metadata.ownerReferences ?? [];
  if (object === undefined || !references.some(({ uid }) => uid === owner)) return;
  const rest = references.filter(({ uid }) => uid !== owner);
  const { uid, resourceVersion } = object.metadata;
  const metadata = { uid, resourceVersion, ownerReferences: rest.length === 0 ? null : rest };
  await client.patch(node.resource, keyOf(object), { type: "merge", patch: { metadata } });
}
