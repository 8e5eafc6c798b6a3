import type { Taint } from "#api/core/taint.ts";
import type { Toleration } from "#api/core/toleration.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { compareBytes } from "#base/byte-order.ts";
import { type AffinityTiers, tierOf } from "./affinity-tiers.ts";
import type { ClusterFacts } from "./cluster-facts.ts";
import type { StepTimes } from "./step-times.ts";
import { toleratedUntilMs } from "./tolerated-until.ts";
import { printTaint, untoleratedTaint } from "./untolerated-taint.ts";
import { targetNames, type WorkloadPeers } from "./workload-peers.ts";

/** What may keep a cluster out, in the order in which it is asked. */
export type FilterName =
  | "APIEnablement"
  | "TaintToleration"
  | "ClusterAffinity"
  | "SpreadConstraint"
  | "ClusterEviction"
  | "WorkloadAffinity"
  | "WorkloadAntiAffinity";

/** Why a cluster is not considered. */
export interface Exclusion {
  readonly cluster: string;
  readonly filter: FilterName;
  /** In the words that end up in the condition. */
  readonly reason: string;
}

/** What a binding asks of clusters, made ready to be asked about many. */
export interface ClusterFilters {
  /** Whether a cluster may be used. Why not costs more to say. */
  readonly fits: (cluster: ClusterFacts) => boolean;
  /** The first reason against a cluster; undefined when it may be used. */
  readonly exclusion: (cluster: ClusterFacts) => Exclusion | undefined;
  /** All reasons against a cluster. */
  readonly exclusions: (cluster: ClusterFacts) => readonly Exclusion[];
  /** All clusters were asked about: whoever measures is told. */
  readonly applied: () => void;
}

interface Filter {
  readonly name: FilterName;
  readonly objection: Objection;
}

type Objection = (cluster: ClusterFacts) => string | undefined;

/** What filters look at beside the binding. */
export interface FilterFacts {
  readonly affinity: AffinityTiers;
  /** Where the other workloads of the binding's groups go; absent when groups are not looked at. */
  readonly peers?: WorkloadPeers | undefined;
  /** The time, where taints drive out: what would have to leave again at once does not come. */
  readonly drivenOutAtMs?: number | undefined;
  readonly times?: StepTimes | undefined;
}

/** Reads the demands of a binding once. */
export function compileFilters(spec: BindingSpec, facts: FilterFacts): ClusterFilters {
  const { peers } = facts;
  const all = [...filtersOf(spec, facts), ...(peers === undefined ? [] : peerFilters(spec, peers))];
  const { filters, applied } = measured(all, facts.times);
  const isMeasured = filters !== all;
  const asExclusion = ({ name }: ClusterFacts, filter: FilterName, reason: string) => ({
    cluster: name,
    filter,
    reason,
  });
  return {
    fits(cluster) {
      // what keeps nearly all out is asked first, unless somebody measures the filters in their order
      if (!isMeasured && tierOf(facts.affinity, cluster.cluster) === undefined) return false;
      for (const { objection } of filters) if (objection(cluster) !== undefined) return false;
      return true;
    },
    exclusion: (cluster) => {
      for (const { name, objection } of filters) {
        const reason = objection(cluster);
        if (reason !== undefined) return asExclusion(cluster, name, reason);
      }
      return undefined;
    },
    exclusions: (cluster) =>
      filters.flatMap(({ name, objection }) => {
        const reason = objection(cluster);
        return reason === undefined ? [] : [asExclusion(cluster, name, reason)];
      }),
    applied,
  };
}

/** The filters with a stopwatch on each, where somebody looks this closely. */
function measured(
  filters: readonly Filter[],
  times: StepTimes | undefined,
): { readonly filters: readonly Filter[]; readonly applied: () => void } {
  const tell = times?.sample();
  if (times === undefined || tell === undefined) return { filters, applied: () => {} };
  const watched = filters.map(({ name, objection }) => ({ name, objection, ms: 0, objected: false }));
  const watch = (each: (typeof watched)[number]) => ({
    name: each.name,
    objection(cluster: ClusterFacts) {
      const sinceMs = times.elapsedMs();
      const reason = each.objection(cluster);
      each.ms += times.elapsedMs() - sinceMs;
      each.objected ||= reason !== undefined;
      return reason;
    },
  });
  const applied = () => {
    for (const { name, ms, objected } of watched)
      tell({ plugin: name, step: "Filter", result: objected ? "Unschedulable" : "Success" }, ms);
  };
  return { filters: watched.map(watch), applied };
}

/** A cluster that runs the template already is not driven out by a missing API or a taint: that is for eviction to decide. */
function filtersOf(spec: BindingSpec, { affinity, drivenOutAtMs }: FilterFacts): readonly Filter[] {
  const targets = targetNames(spec);
  const evicted = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  const tolerations = spec.placement?.clusterTolerations ?? [];
  const { apiVersion, kind } = spec.resource;
  return [
    {
      name: "APIEnablement",
      objection: ({ name, serves }) =>
        targets.has(name) || serves(apiVersion, kind) ? undefined : "cluster(s) did not have the API resource",
    },
    {
      name: "TaintToleration",
      objection: ({ name, taints }) => {
        if (taints.length === 0 || targets.has(name)) return undefined;
        const taint = untoleratedTaint(taints, tolerations) ?? outlived(taints, { tolerations, nowMs: drivenOutAtMs });
        return taint === undefined ? undefined : `cluster(s) had untolerated taint {${printTaint(taint)}}`;
      },
    },
    {
      name: "ClusterAffinity",
      objection: ({ cluster }) =>
        tierOf(affinity, cluster) === undefined
          ? "cluster(s) did not match the placement cluster affinity constraint"
          : undefined,
    },
    { name: "SpreadConstraint", objection: spreadObjection(spec) },
    {
      name: "ClusterEviction",
      objection: ({ name }) => (evicted.has(name) ? "cluster(s) is in the process of eviction" : undefined),
    },
  ];
}

/** The first taint that was tolerated for a time, and is no more. */
function outlived(taints: readonly Taint[], { tolerations, nowMs }: Endurance): Taint | undefined {
  if (nowMs === undefined) return undefined;
  return taints.find((taint) => taint.effect === "NoExecute" && toleratedUntilMs(taint, tolerations) <= nowMs);
}

interface Endurance {
  readonly tolerations: readonly Toleration[];
  readonly nowMs: number | undefined;
}

/** Like a taint, a group does not drive out what runs already. */
function peerFilters(spec: BindingSpec, { together, apart }: WorkloadPeers): readonly Filter[] {
  const targets = targetNames(spec);
  return [
    {
      name: "WorkloadAffinity",
      objection: ({ name }) =>
        targets.has(name) || together.every((peer) => peer.has(name))
          ? undefined
          : "ResourceBinding with the same affinity group does not target this cluster",
    },
    {
      name: "WorkloadAntiAffinity",
      objection: ({ name }) =>
        targets.has(name) || !apart.some((peer) => peer.has(name))
          ? undefined
          : "cluster already has workload with the same anti-affinity group",
    },
  ];
}

/** A cluster that does not say where it is cannot be spread over. */
function spreadObjection({ placement }: BindingSpec): Objection {
  const fields = (placement?.spreadConstraints ?? []).map(({ spreadByField }) => spreadByField);
  return ({ cluster: { spec } }) => {
    for (const field of fields) {
      if (field === "provider" && (spec.provider ?? "") === "") return "cluster(s) did not have provider property";
      if (field === "region" && (spec.region ?? "") === "") return "cluster(s) did not have region property";
      if (field === "zone" && (spec.zones ?? []).length === 0) return "cluster(s) did not have zones property";
    }
    return undefined;
  };
}

/** Why no cluster is left, each reason with the number of clusters it keeps out. */
export function noFitMessage(total: number, exclusions: readonly Exclusion[]): string {
  if (total === 0 || exclusions.length === 0) return `0/${total} clusters are available: no cluster exists.`;
  const counts = new Map<string, number>();
  for (const { reason } of exclusions) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).toSorted(compareBytes);
  return `0/${total} clusters are available: ${reasons.join(", ")}.`;
}
