import type { Placement } from "#api/policy/placement.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import type { Candidate } from "./candidates.ts";
import { ignoresSpreadConstraints, strategyOf } from "./replica-strategy.ts";

/** The candidates of one region. */
export interface RegionGroup {
  readonly name: string;
  /** How well the region would do; the replicas it can take count before everything else. */
  readonly score: number;
  readonly available: number;
  /** In order of preference. */
  readonly clusters: readonly Candidate[];
}

type SpreadConstraint = NonNullable<Placement["spreadConstraints"]>[number];

/** What stands before the score of clusters: one replica, or one cluster that can take them all. */
const unit = 1000;

/** The constraint on a field; of several, the last one counts. */
export function constraintOn(
  { spreadConstraints = [] }: Placement,
  field: SpreadConstraint["spreadByField"],
): SpreadConstraint | undefined {
  return spreadConstraints.findLast(({ spreadByField }) => spreadByField === field);
}

/**
 * The regions of ranked candidates, in order of appearance. There are none unless regions are asked for.
 *
 * Upstream: karmada pkg/scheduler/core/spreadconstraint/group_clusters.go.
 */
export function groupByRegion(ranked: readonly Candidate[], spec: BindingSpec): RegionGroup[] {
  const { placement = {} } = spec;
  if (ignoresSpreadConstraints(placement) || constraintOn(placement, "region") === undefined) return [];
  const regions = new Map<string, Candidate[]>();
  for (const candidate of ranked) {
    const region = candidate.facts.cluster.spec.region ?? "";
    if (region === "") continue;
    const members = regions.get(region);
    if (members === undefined) regions.set(region, [candidate]);
    else members.push(candidate);
  }
  const scoreOf = groupScore(spec, placement);
  return [...regions].map(([name, clusters]) => ({
    name,
    score: scoreOf(clusters),
    available: clusters.reduce((sum, { available }) => sum + available, 0),
    clusters,
  }));
}

function groupScore(spec: BindingSpec, placement: Placement): (clusters: readonly Candidate[]) => number {
  const { replicas = 0 } = spec;
  if (strategyOf(placement) === "Duplicated") return (clusters) => duplicatedScore(clusters, replicas);
  const minRegions = constraintOn(placement, "region")?.minGroups ?? 0;
  const minClusters = Math.max(constraintOn(placement, "cluster")?.minGroups ?? 0, minRegions);
  const target = Math.ceil(replicas / Math.max(1, minRegions));
  return (clusters) => dividedScore(clusters, { target, minClusters });
}

/** Clusters that can take all replicas count; their mean score tells equals apart. */
function duplicatedScore(clusters: readonly Candidate[], replicas: number): number {
  const able = clusters.filter(({ available }) => available >= replicas);
  return able.length === 0 ? 0 : able.length * unit + mean(able);
}

/** The replicas that the region can take count, but no more than its share. */
function dividedScore(
  clusters: readonly Candidate[],
  { target, minClusters }: { readonly target: number; readonly minClusters: number },
): number {
  let room = 0;
  let counted = 0;
  for (const { available } of clusters) {
    room += available;
    counted++;
    if (counted >= minClusters && room >= target) break;
  }
  return room < target ? room * unit + mean(clusters) : target * unit + mean(clusters.slice(0, counted));
}

function mean(clusters: readonly Candidate[]): number {
  return Math.floor(clusters.reduce((sum, { score }) => sum + score, 0) / clusters.length);
}
