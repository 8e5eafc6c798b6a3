import type { BindingSpec } from "#api/work/resource-binding.ts";
import { compareBytes } from "#base/byte-order.ts";
import { type AffinityTiers, tierOf } from "./affinity-tiers.ts";
import type { ClusterFacts } from "./cluster-facts.ts";
import { compileRequest, estimateReplicas, maxReplicas } from "./estimate-replicas.ts";

/** A cluster that may be used. */
export interface Candidate {
  readonly name: string;
  readonly facts: ClusterFacts;
  /** 100 for a cluster that is a target already, else 0. */
  readonly score: number;
  /** How many more replicas fit. */
  readonly allocatable: number;
  /** That, and those that are there already. */
  readonly available: number;
  /** The tier of the cluster: 0 is the primary group, later ones take what does not fit. */
  readonly overflowOrder: number;
}

/** More precise estimates than the clusters' own summaries, by cluster; -1 means that nothing is known. */
export type Estimates = ReadonlyMap<string, number>;

const localityScore = 100;

/** Scores clusters and estimates what fits into them. */
export function assess(
  clusters: readonly ClusterFacts[],
  { spec, affinity, estimates }: { spec: BindingSpec; affinity: AffinityTiers; estimates: readonly Estimates[] },
): Candidate[] {
  const assigned = new Map((spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]));
  const estimate = estimator(spec, estimates);
  return clusters.map((facts) => {
    const allocatable = estimate(facts);
    return {
      name: facts.name,
      facts,
      score: assigned.has(facts.name) ? localityScore : 0,
      allocatable,
      available: allocatable + (assigned.get(facts.name) ?? 0),
      overflowOrder: tierOf(affinity, facts.cluster) ?? 0,
    };
  });
}

/** The smallest of all estimates. What runs no replicas fits everywhere. */
function estimator(spec: BindingSpec, estimates: readonly Estimates[]): (facts: ClusterFacts) => number {
  const { replicas = 0, components = [] } = spec;
  if (replicas === 0 && components.length === 0) return () => maxReplicas;
  const request = compileRequest(spec.replicaRequirements);
  return ({ name, capacity }) => {
    let least = estimateReplicas(capacity, request);
    for (const known of estimates) {
      const value = known.get(name) ?? -1;
      if (value !== -1 && value < least) least = value;
    }
    return least === maxReplicas ? replicas : least;
  };
}

/** The order in which clusters are preferred: earlier tier, higher score, more room, name. */
export function comparePreference(a: Candidate, b: Candidate): number {
  return (
    a.overflowOrder - b.overflowOrder || b.score - a.score || b.available - a.available || compareBytes(a.name, b.name)
  );
}
