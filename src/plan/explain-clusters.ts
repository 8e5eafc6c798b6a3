import type { ExplainedCluster } from "#api/plan/explanation.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { ClusterSnapshot } from "#scheduling/cluster-facts.ts";
import type { FilterName } from "#scheduling/cluster-filters.ts";
import { type PassOptions, passOnce, type SchedulePass } from "#scheduling/schedule-pass.ts";

type Verdict = Pick<ExplainedCluster, "name" | "in" | "replicas" | "decidedBy" | "reason" | "remedy">;

export interface PlacedFacts {
  readonly binding: Binding;
  readonly clusters: ClusterSnapshot;
  readonly options: PassOptions;
  /** The time, where taints drive out. */
  readonly drivenOutAtMs?: number | undefined;
}

/** For every cluster whether a binding is there, and what decided; by the scheduler's own pass over what is now. */
export function explainClusters(facts: PlacedFacts): readonly Verdict[] {
  const { binding, clusters, options, drivenOutAtMs } = facts;
  const { spec, status } = binding;
  const { schedulerObservingAffinityName: affinityName, lastScheduledTime } = status ?? {};
  const group = affinityName ?? spec.placement?.clusterAffinities?.[0]?.affinityName;
  const pass =
    spec.placement === undefined
      ? undefined
      : passOnce({ spec, clusters, affinityName: group, lastScheduledTime, drivenOutAtMs, options });
  const names = [...clusters.staying.map(({ name }) => name), ...clusters.leaving].toSorted();
  return names.map((name) => inVerdict(binding, name) ?? outVerdict(pass, { name, clusters }));
}

function inVerdict({ spec }: Binding, name: string): Verdict | undefined {
  const target = spec.clusters?.find((each) => each.name === name);
  const leaving = spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === name);
  if (target !== undefined) {
    const { replicas } = target;
    const reason = replicas === undefined ? "it is a target" : `it is a target of ${replicas} replicas`;
    return { name, in: true, ...(replicas === undefined ? {} : { replicas }), decidedBy: "Scheduled", reason };
  }
  const referrer = spec.requiredBy?.find(({ clusters = [] }) => clusters.some((each) => each.name === name));
  if (referrer !== undefined)
    return { name, in: true, decidedBy: "Follows", reason: `${referrer.name}, which needs it, is there` };
  if (leaving === undefined) return undefined;
  const reason = "it is leaving, once its replacement is healthy";
  return { name, in: true, decidedBy: "Eviction", reason };
}

interface Absent {
  readonly name: string;
  readonly clusters: ClusterSnapshot;
}

function outVerdict(pass: SchedulePass | undefined, { name, clusters }: Absent): Verdict {
  const out = (decidedBy: string, reason: string, remedy: string): Verdict => ({
    name,
    in: false,
    decidedBy,
    reason,
    remedy,
  });
  if (clusters.leaving.has(name)) return out("Departure", "the cluster is being removed", "join it again");
  if (pass === undefined)
    return out("NoPolicy", "no policy places it", "let a policy select it, or something that refers to it");
  const excluded = pass.exclusions().find(({ cluster }) => cluster === name);
  if (excluded !== undefined) return out(excluded.filter, excluded.reason, remedies[excluded.filter]);
  const { selection, assigned, failure } = pass;
  if (selection?.clusters !== undefined && !selection.clusters.some((each) => each.name === name))
    return out("Spread", spreadReason(pass, name), "raise maxGroups of the spread constraint");
  if (assigned?.targets !== undefined && !assigned.targets.some((each) => each.name === name)) {
    const weight = assigned.weights?.find((each) => each.name === name)?.replicas;
    const reason = weight === undefined ? "no replica fell to it" : `no replica fell to it, with weight ${weight}`;
    return out("Division", reason, "ask for more replicas, or give the cluster more weight or room");
  }
  if (failure !== undefined) return out("Failure", failure.message, "make room, or ask for less");
  return out("Pending", "it would be a target if it were scheduled now", "edit or reconcile the resource");
}

function spreadReason({ candidates }: SchedulePass, name: string): string {
  const place = candidates.findIndex((each) => each.name === name);
  const { score = 0, available = 0 } = candidates[place] ?? {};
  return `${place + 1}. of ${candidates.length} that fit (score ${score}, room for ${available}), and fewer are wanted`;
}

const remedies: Readonly<Record<FilterName, string>> = {
  APIEnablement: "let the cluster serve the kind",
  TaintToleration: "remove the taint, or tolerate it in placement.clusterTolerations",
  ClusterAffinity: "let placement.clusterAffinity mean the cluster, or label the cluster so that it does",
  SpreadConstraint: "say in the cluster's spec where it is: region, zone, provider",
  ClusterEviction: "wait until the eviction is over",
  WorkloadAffinity: "place the workloads of its group there",
  WorkloadAntiAffinity: "place the workloads of its group elsewhere",
};
