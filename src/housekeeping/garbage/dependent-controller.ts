import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { ResourceFeed } from "#housekeeping/resource-feed.ts";
import type { Controller } from "#runtime/controller.ts";
import { type DependentFacts, type DependentStep, decideDependent } from "./decide-dependent.ts";
import { warnOfOwner } from "./invalid-owner-event.ts";
import { hasOnlyLivingOwners, type OwnerLookup, ownerStates } from "./owner-states.ts";
import type { GraphNode } from "./ownership-graph.ts";
import { readNode } from "./read-node.ts";

export interface DependentNeeds extends OwnerLookup {
  readonly feed: ResourceFeed;
  readonly clock: Clock;
}

interface Facts extends DependentFacts {
  readonly resource: ResourceId;
}

/** Deletes what belongs to nobody any more. Keys are uids. */
export function dependentController(needs: DependentNeeds): Controller<Facts, DependentStep> {
  const { client, graph, served } = needs;
  /** Dependents of owners whose kind is not served: looked at again when that changes. */
  const unsure = new Set<string>();
  /** Nearly always all owners are there, which needs no waiting. */
  const look = (uid: string): undefined | Promise<Facts | undefined> => {
    unsure.delete(uid);
    const node = graph.get(uid);
    if (node === undefined || node.deletion !== "none" || hasOnlyLivingOwners(graph, node)) return undefined;
    return examine(node);
  };
  const examine = async (node: GraphNode): Promise<Facts | undefined> => {
    const { uid, resource } = node;
    const object = await readNode(client, node);
    if (object === undefined) return undefined;
    const owners = await ownerStates(needs, object);
    if (owners.some(({ state }) => state === "unknown")) unsure.add(uid);
    const dependents = graph.dependentsOf(uid);
    const inCircle = dependents.some(({ deletion }) => deletion === "foreground");
    return { resource, object, owners, hasDependents: dependents.length > 0, inCircle };
  };
  return {
    name: "garbage-collector",
    watches: [
      (enqueue) =>
        graph.subscribe({
          dependent: (uid, { initial }) => enqueue(uid, initial ? "background" : "user"),
          owner: () => {},
        }),
      (enqueue) =>
        served.subscribe(() => {
          for (const uid of unsure) enqueue(uid, "background");
        }),
    ],
    gather: (uid) => (needs.feed.isListed ? look(uid) : needs.feed.whenListed().then(() => look(uid))),
    decide: decideDependent,
    apply: (step, facts) => take(needs, step, facts),
  };
}

/** Every write is bound to the state that was decided on: a new owner in between makes it a conflict. */
async function take(needs: DependentNeeds, step: DependentStep, { resource, object }: Facts): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  switch (step.do) {
    case "warn":
      return warnOfOwner(needs, { dependent: object, reference: step.reference });
    case "keepOwners": {
      const metadata = { uid, resourceVersion, ownerReferences: step.owners };
      await needs.client.patch(resource, keyOf(object), { type: "merge", patch: { metadata } });
      return;
    }
    case "delete": {
      const preconditions = { uid, resourceVersion };
      await needs.client.delete(resource, keyOf(object), { propagationPolicy: step.policy, preconditions });
    }
  }
}
