import type { BindingSpec } from "#api/work/resource-binding.ts";
import { sortedByName } from "#base/byte-order.ts";
import { affinityTiers } from "./affinity-tiers.ts";
import { type Assigned, assignReplicas, type Target } from "./assign-replicas.ts";
import { assess, type Candidate, comparePreference, type Estimates } from "./candidates.ts";
import type { ClusterSnapshot } from "./cluster-facts.ts";
import { type ClusterFilters, compileFilters, type Exclusion, noFitMessage } from "./cluster-filters.ts";
import { isRescheduleDue } from "./replica-strategy.ts";
import { type Selection, selectClusters } from "./select-clusters.ts";
import { type StepTimes, timed } from "./step-times.ts";
import type { WorkloadPeers } from "./workload-peers.ts";

/** All that one pass looks at. */
export interface PassFacts {
  readonly spec: BindingSpec;
  readonly clusters: ClusterSnapshot;
  /** Which of the clusterAffinities is tried. */
  readonly affinityName?: string | undefined;
  readonly lastScheduledTime?: string | undefined;
  /** The time, where taints drive out (gate Failover); absent where they only keep away. */
  readonly drivenOutAtMs?: number | undefined;
  readonly options: PassOptions;
}

export interface PassOptions {
  /** Whether selected clusters that get no replicas are targets nevertheless. */
  readonly propagateEmptyWorkloads?: boolean;
  /** Estimates beyond the clusters' own summaries; the smallest of all counts. */
  readonly estimates?: readonly Estimates[];
  /** Where the other workloads of the binding's groups go (gate WorkloadAffinity); absent when the gate is off. */
  readonly peers?: WorkloadPeers;
  /** Where the time goes; absent when nobody asks. */
  readonly times?: StepTimes;
}

/** Where a pass leads, and every step on the way: who was kept out, how the rest ranks, who was selected, how replicas were divided. */
export type SchedulePass = {
  readonly exclusions: () => readonly Exclusion[];
  /** In order of preference. */
  readonly candidates: readonly Candidate[];
  readonly selection?: Selection;
  readonly assigned?: Assigned;
} & (
  | { readonly targets: readonly Target[]; readonly failure?: never }
  | { readonly targets?: never; readonly failure: ScheduleFailure }
);

/** Why a pass leads nowhere: the reason and message of the Scheduled condition. */
export interface ScheduleFailure {
  readonly reason: "NoClusterFit" | "Unschedulable" | "SchedulerError";
  readonly message: string;
}

/** One pass of filter, score, select and assign. */
export function passOnce(facts: PassFacts): SchedulePass {
  const { spec, clusters, affinityName, lastScheduledTime, drivenOutAtMs, options } = facts;
  const affinity = affinityTiers(spec, affinityName);
  const { times } = options;
  const { fitting, exclusions } = timed(times, "Filter", {
    run: () => applyFilters(clusters, compileFilters(spec, { affinity, peers: options.peers, drivenOutAtMs, times })),
    passed: (left) => left.fitting.length > 0,
  });
  if (fitting.length === 0) {
    const message = noFitMessage(clusters.total, exclusions());
    return { exclusions, candidates: [], failure: { reason: "NoClusterFit", message } };
  }
  const { estimates = [], propagateEmptyWorkloads = false } = options;
  const candidates = timed(times, "Score", {
    run: () => assess(fitting, { spec, affinity, estimates }).sort(comparePreference),
    passed: () => true,
  });
  const selection = timed(times, "Select", {
    run: () => selectClusters(candidates, spec),
    passed: ({ clusters: selected }) => selected !== undefined,
  });
  if (selection.clusters === undefined) {
    const message = `failed to select clusters: ${selection.problem}`;
    return { exclusions, candidates, selection, failure: { reason: "SchedulerError", message } };
  }
  const fresh = isRescheduleDue(spec.rescheduleTriggeredAt, lastScheduledTime);
  const assigned = timed(times, "AssignReplicas", {
    run: () => assignReplicas({ candidates: selection.clusters, spec, fresh, overflows: affinity.overflows }),
    passed: ({ targets }) => targets !== undefined,
  });
  if (assigned.targets === undefined) {
    const { reason, message } = assigned.failure;
    const failure = { reason, message: `failed to assign replicas: ${message}` };
    return { exclusions, candidates, selection, assigned, failure };
  }
  const targets = propagateEmptyWorkloads ? withEmpty(assigned.targets, selection.clusters) : assigned.targets;
  return { exclusions, candidates, selection, assigned, targets };
}

function applyFilters({ staying }: ClusterSnapshot, { fits, exclusion, applied }: ClusterFilters) {
  const fitting = staying.filter(fits);
  applied();
  return { fitting, exclusions: () => staying.flatMap((cluster) => exclusion(cluster) ?? []) };
}

function withEmpty(targets: readonly Target[], selected: readonly Candidate[]): readonly Target[] {
  const names = new Set(targets.map(({ name }) => name));
  const empty = selected.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name }));
  return sortedByName([...targets, ...empty]);
}
