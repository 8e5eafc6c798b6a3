import { appliedPlacementAnnotation } from "#api/policy/applied-keys.ts";
import type { Placement } from "#api/policy/placement.ts";
import type { Binding, BindingStatus } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { printPlacement } from "./applied-placement.ts";
import type { ClusterSnapshot } from "./cluster-facts.ts";
import { isRescheduleDue } from "./replica-strategy.ts";
import { type PassOptions, passOnce, type SchedulePass } from "./schedule-pass.ts";
import { findTrigger, type Trigger } from "./schedule-triggers.ts";
import { failedStatus, observedStatus, succeededStatus } from "./scheduled-status.ts";

/**
 * One scheduling cycle of a binding, as a pure decision:
 *
 *   trigger? ── no ──> only the generation is noted
 *      │ yes
 *   for each group of clusters, until one succeeds:  filter -> score -> select -> assign
 *      │ succeeded                    │ all failed: the first failure decides
 *   new targets, Scheduled=True       Scheduled=False; targets stay (ruling 19), or are cleared when no cluster fits
 */
export interface ScheduleFacts {
  readonly binding: Binding;
  readonly clusters: ClusterSnapshot;
  readonly options: ScheduleOptions;
  /** The time, as the wire writes it. */
  readonly now: string;
}

export interface ScheduleOptions extends PassOptions {
  /** Gate ClearTargetsWhenNoFit: whether a binding that no cluster fits loses its targets, as in Karmada. */
  readonly clearTargetsWhenNoFit?: boolean;
  /** Gate Failover: whether taints drive out what no longer tolerates them. */
  readonly drivesOut?: boolean;
}

/** What a cycle decides. Clusters, applied placement and status are the whole of what the binding has afterwards. */
export interface ScheduleDecision {
  /** Why the binding is scheduled; absent when it is left as it is. */
  readonly trigger?: Trigger;
  /** The passes that were made, one for each group of clusters that was tried. */
  readonly attempts: readonly ScheduleAttempt[];
  /** `spec.clusters`, sorted by name; undefined means not scheduled. */
  readonly clusters: readonly TargetCluster[] | undefined;
  /** The applied-placement annotation. */
  readonly appliedPlacement: string | undefined;
  readonly status: BindingStatus | undefined;
  /** Whether the cycle has failed in a way that a later one may mend without any change. */
  readonly retry: boolean;
}

/** A pass, and the group of clusters it was made for. */
export type ScheduleAttempt = SchedulePass & { readonly affinityName?: string };

/** Decides whether a binding is scheduled now and where it goes. A binding that is being deleted or has no placement is left alone. */
export function decideSchedule(facts: ScheduleFacts): ScheduleDecision {
  const { binding, clusters, options } = facts;
  const { placement } = binding.spec;
  if (placement === undefined || binding.metadata.deletionTimestamp !== undefined) return asItIs(binding);
  const keepsTargets = options.clearTargetsWhenNoFit !== true;
  const trigger = findTrigger({ binding, placement, clusters, keepsTargets });
  if (trigger === undefined) return { ...asItIs(binding), status: observedStatus(binding) };
  const attempts = tryGroups(facts, placement);
  const { clusters: targets, appliedPlacement, status, retry } = settle(facts, placement, attempts);
  return { trigger, attempts, clusters: targets, appliedPlacement, status, retry };
}

function asItIs({ metadata, spec, status }: Binding): ScheduleDecision {
  const appliedPlacement = metadata.annotations?.[appliedPlacementAnnotation];
  return { attempts: [], clusters: spec.clusters, appliedPlacement, status, retry: false };
}

/** The groups are tried from the one in use, never back to an earlier one unless someone asked for a fresh schedule. */
function tryGroups(facts: ScheduleFacts, { clusterAffinities }: Placement): ScheduleAttempt[] {
  const { spec, status } = facts.binding;
  const { schedulerObservingAffinityName: observed, lastScheduledTime } = status ?? {};
  const { clusters, options } = facts;
  const drivenOutAtMs = options.drivesOut === true ? Date.parse(facts.now) : undefined;
  const pass = (affinityName: string | undefined) =>
    passOnce({ spec, clusters, affinityName, lastScheduledTime, drivenOutAtMs, options });
  if (clusterAffinities === undefined) return [pass(observed)];
  const anew = isRescheduleDue(spec.rescheduleTriggeredAt, lastScheduledTime);
  const inUse = clusterAffinities.findIndex(({ affinityName }) => affinityName === observed);
  const attempts: ScheduleAttempt[] = [];
  for (const { affinityName } of clusterAffinities.slice(anew ? 0 : Math.max(0, inUse))) {
    const attempt = { affinityName, ...pass(affinityName) };
    attempts.push(attempt);
    if (attempt.failure === undefined) break;
  }
  return attempts;
}

type Settled = Omit<ScheduleDecision, "trigger" | "attempts">;

/** What the attempts come to: the last one succeeded, or the first failure decides. An empty list of groups succeeds and changes nothing, as upstream. */
function settle(facts: ScheduleFacts, placement: Placement, attempts: readonly ScheduleAttempt[]): Settled {
  const { binding, clusters, options, now } = facts;
  const last = attempts.at(-1);
  if (last === undefined) return { ...asItIs(binding), status: succeededStatus(binding, now) };
  const appliedPlacement = printPlacement(placement);
  if (last.failure === undefined) {
    const status = succeededStatus(binding, now);
    const group = last.affinityName === undefined ? {} : { schedulerObservingAffinityName: last.affinityName };
    return { clusters: presentList(last.targets), appliedPlacement, status: { ...status, ...group }, retry: false };
  }
  const failure = attempts[0]?.failure ?? last.failure;
  const status = failedStatus(binding, failure, now);
  if (failure.reason !== "NoClusterFit") return { ...asItIs(binding), status, retry: true };
  const kept = (binding.spec.clusters ?? []).filter(({ name }) => !clusters.leaving.has(name));
  const targets = options.clearTargetsWhenNoFit === true ? [] : kept;
  return { clusters: presentList(targets), appliedPlacement, status, retry: false };
}

/** "Not scheduled" is an absent list, never an empty one (ruling 24). */
function presentList(targets: readonly TargetCluster[]): readonly TargetCluster[] | undefined {
  return targets.length === 0 ? undefined : targets;
}
