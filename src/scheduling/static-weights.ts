import type { Placement } from "#api/policy/placement.ts";
import { compileClusterAffinity } from "#selection/cluster-affinity.ts";
import type { Candidate } from "./candidates.ts";
import type { Share } from "./divide-by-weight.ts";

/** The fixed weight of each candidate: the largest that a rule gives it. One that no rule selects has none; when that is true of all, they are equal. */
export function staticWeights(candidates: readonly Candidate[], { replicaScheduling }: Placement): Share[] {
  const rules = (replicaScheduling?.weightPreference?.staticWeightList ?? []).map(({ targetCluster, weight }) => ({
    matcher: compileClusterAffinity(targetCluster ?? {}),
    weight: Number(weight),
  }));
  const weights = candidates.map(({ name, facts }) => {
    const given = rules.filter(({ matcher }) => matcher.mismatch(facts.cluster) === undefined);
    return { name, replicas: given.reduce((most, { weight }) => Math.max(most, weight), 0) };
  });
  const weighted = weights.filter(({ replicas }) => replicas > 0);
  return weighted.length > 0 ? weighted : candidates.map(({ name }) => ({ name, replicas: 1 }));
}
