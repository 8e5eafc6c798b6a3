import { labelRequirementsOf, matchesLabels } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Plan } from "#base/plan.ts";
import { decideClaims } from "../claim.ts";
import { memberResources } from "../member-resources.ts";
import { podCreation } from "../pods/new-pod.ts";
import { countPods, isPodActive, leastMissedFirst, type PodCounts, untilAvailable } from "../pods/pod-counts.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps, together } from "../step.ts";

/** A ReplicaSet or a ReplicationController: they differ in how their selector is written. */
export interface ReplicaSetFacts {
  readonly resource: ResourceId;
  readonly set: SimulatedObject;
  readonly pods: readonly SimulatedObject[];
  readonly orphans: readonly SimulatedObject[];
  readonly nowMs: number;
}

/** As many pods as asked for; the rest is said in the status once they are there. */
export function decideReplicaSet({ resource, set, pods, orphans, nowMs }: ReplicaSetFacts): Plan<Step> {
  const { spec } = set;
  const selector = labelRequirementsOf(selectorOf(resource, spec));
  const claims = decideClaims({
    ownerResource: resource,
    owner: set,
    selector,
    resource: memberResources.pods,
    owned: pods,
    orphans,
  });
  if (claims.steps.length > 0) return { steps: together(claims.steps) };
  const active = claims.claimed.filter(isPodActive);
  const missing = isBeingDeleted(set) ? 0 : (spec["replicas"] ?? 1) - active.length;
  if (missing > 0) {
    return {
      steps: together(Array.from({ length: missing }, () => podCreation({ ownerResource: resource, owner: set }))),
    };
  }
  if (missing < 0) {
    const surplus = leastMissedFirst(active).slice(0, -missing);
    return { steps: together(surplus.map((object) => deletion(object))) };
  }
  const counts = countPods(active, { minReadySeconds: spec["minReadySeconds"], nowMs });
  const template = labelRequirementsOf({ matchLabels: spec["template"]?.metadata?.labels ?? {} });
  const fullyLabeled = active.filter(({ metadata }) => matchesLabels(template, metadata.labels)).length;
  const steps = statusSteps(resource, set, replicaSetStatus(set, { ...counts, fullyLabeled }));
  return { steps, ...untilAvailable(counts, nowMs) };
}

/** The status for these numbers; what is zero is left out, as Go leaves it out. */
export function replicaSetStatus(set: SimulatedObject, counts: PodCounts & { readonly fullyLabeled: number }): Fields {
  const conditions = set.status?.["conditions"];
  return {
    replicas: counts.replicas,
    ...(counts.fullyLabeled > 0 ? { fullyLabeledReplicas: counts.fullyLabeled } : {}),
    ...(counts.ready > 0 ? { readyReplicas: counts.ready } : {}),
    ...(counts.available > 0 ? { availableReplicas: counts.available } : {}),
    observedGeneration: set.metadata.generation ?? 1,
    ...(conditions === undefined ? {} : { conditions }),
  };
}

function selectorOf({ kind }: ResourceId, spec: Fields): Fields {
  return kind === "ReplicationController" ? { matchLabels: spec["selector"] ?? {} } : (spec["selector"] ?? {});
}

function deletion(object: SimulatedObject): Step {
  return { do: "delete", resource: memberResources.pods, object, because: "more replicas than asked for" };
}
