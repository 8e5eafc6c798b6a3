import type { ResourceId } from "#api/meta/resource-id.ts";
import type { ResourceFeed } from "#housekeeping/resource-feed.ts";
import type { OwnershipGraph } from "./ownership-graph.ts";

/** Keeps the graph as the feed tells it. Events are left out: they are many, short-lived and belong to nobody. */
export function followOwnership(feed: ResourceFeed, graph: OwnershipGraph): () => void {
  /** While a listing repeats what was known before: the uids it has shown. */
  const shown = new Map<ResourceId, Set<string>>();
  const known = new Set<ResourceId>();
  return feed.subscribe({
    listing(resource) {
      if (known.has(resource)) shown.set(resource, new Set());
    },
    present(resource, sighting) {
      if (isEvent(resource)) return;
      shown.get(resource)?.add(sighting.object.metadata.uid);
      graph.put(resource, sighting);
    },
    gone(_, { metadata }) {
      graph.remove(metadata.uid, { initial: false });
    },
    listed(resource) {
      known.add(resource);
      const uids = shown.get(resource);
      shown.delete(resource);
      if (uids === undefined) return;
      for (const node of [...graph.nodes()]) {
        if (node.resource === resource && !uids.has(node.uid)) graph.remove(node.uid, { initial: true });
      }
    },
    dropped(resource) {
      known.delete(resource);
      shown.delete(resource);
      graph.drop(resource);
    },
  });
}

function isEvent({ resource, group }: ResourceId): boolean {
  return resource === "events" && group === "";
}
