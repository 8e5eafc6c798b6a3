import { appliedPlacementAnnotation } from "#api/policy/applied-keys.ts";
import type { Placement } from "#api/policy/placement.ts";
import { scheduledCondition } from "#api/work/condition-reasons.ts";
import type { Binding, BindingSpec } from "#api/work/resource-binding.ts";
import { isPlacementChanged } from "./applied-placement.ts";
import type { ClusterSnapshot } from "./cluster-facts.ts";
import { isRescheduleDue, isWorkload, strategyOf } from "./replica-strategy.ts";

/** Why a binding is scheduled. */
export type TriggerName =
  | "placement changed"
  | "replicas changed"
  | "reschedule requested"
  | "always scheduled"
  | "target leaving"
  | "no cluster fitted";

/** A reason to schedule, and the kind of schedule that metrics count it as. */
export interface Trigger {
  readonly name: TriggerName;
  readonly type: "ReconcileSchedule" | "ScaleSchedule";
}

/** What triggers look at. */
export interface TriggerFacts {
  readonly binding: Binding;
  readonly placement: Placement;
  readonly clusters: ClusterSnapshot;
  /** Whether a binding that no cluster fits keeps its targets (ruling 19). */
  readonly keepsTargets: boolean;
}

const triggers: readonly (Trigger & { readonly applies: (facts: TriggerFacts) => boolean })[] = [
  {
    name: "placement changed",
    type: "ReconcileSchedule",
    applies: ({ binding: { metadata, status }, placement }) =>
      isPlacementChanged(placement, {
        applied: metadata.annotations?.[appliedPlacementAnnotation],
        observedAffinity: status?.schedulerObservingAffinityName,
      }),
  },
  {
    name: "replicas changed",
    type: "ScaleSchedule",
    applies: ({ binding, placement }) => areReplicasChanged(binding.spec, placement),
  },
  {
    name: "reschedule requested",
    type: "ReconcileSchedule",
    applies: ({ binding: { spec, status } }) => isRescheduleDue(spec.rescheduleTriggeredAt, status?.lastScheduledTime),
  },
  {
    // what runs no replicas, or all of them everywhere, follows the clusters at once: nothing has to move for it
    name: "always scheduled",
    type: "ReconcileSchedule",
    applies: ({ binding, placement }) => !isWorkload(binding.spec) || strategyOf(placement) === "Duplicated",
  },
  {
    name: "target leaving",
    type: "ReconcileSchedule",
    applies: ({ binding: { spec }, clusters }) => (spec.clusters ?? []).some(({ name }) => clusters.leaving.has(name)),
  },
  {
    // upstream has cleared the targets by now, so its replicas differ; with kept targets nothing else would try again
    name: "no cluster fitted",
    type: "ReconcileSchedule",
    applies: ({ binding: { status }, keepsTargets }) =>
      keepsTargets &&
      (status?.conditions ?? []).some(
        ({ type, reason }) => type === scheduledCondition.type && reason === scheduledCondition.noClusterFit,
      ),
  },
];

/** The first reason to schedule a binding, if there is one. */
export function findTrigger(facts: TriggerFacts): Trigger | undefined {
  const found = triggers.find(({ applies }) => applies(facts));
  return found && { name: found.name, type: found.type };
}

/** Whether the targets do not add up to what the template asks for. A workload of several components has no number to compare. */
function areReplicasChanged(
  { replicas = 0, clusters = [], components = [] }: BindingSpec,
  placement: Placement,
): boolean {
  if (placement.replicaScheduling === undefined) return false;
  if (components.length > 1) return clusters.length === 0;
  switch (placement.replicaScheduling.replicaSchedulingType) {
    case "Duplicated":
      return clusters.some((target) => (target.replicas ?? 0) !== replicas);
    case "Divided":
      return clusters.reduce((sum, target) => sum + (target.replicas ?? 0), 0) !== replicas;
    default:
      return false;
  }
}
