import type { Cluster } from "#api/cluster/cluster.ts";
import type { Taint } from "#api/core/taint.ts";
import type { ClusterTaintPolicy, MatchCondition } from "#api/policy/cluster-taint-policy.ts";
import { compareBytes } from "#base/byte-order.ts";
import { compileClusterAffinity } from "#selection/cluster-affinity.ts";

export interface PolicyTaintFacts {
  readonly cluster: Cluster;
  /** The taints that the cluster has but for what policies say. */
  readonly taints: readonly Taint[];
  readonly policies: readonly ClusterTaintPolicy[];
  readonly now: string;
}

/**
 * The taints of a cluster after all policies have had their say, the oldest first; each puts on before it takes off. A taint that the
 * cluster has already stays as it is, with the time at which it came, whatever was said in between.
 */
export function policyTaints({ cluster, taints, policies, now }: PolicyTaintFacts): readonly Taint[] {
  let result = taints;
  for (const { spec } of policies.toSorted(byAge)) {
    if (spec.targetClusters !== undefined && !matches(spec.targetClusters, cluster)) continue;
    if (holds(spec.addOnConditions, cluster)) {
      const missing = spec.taints.filter((taint) => !result.some((each) => isSame(each, taint)));
      const known = cluster.spec.taints ?? [];
      result = [
        ...result,
        ...missing.map((taint) => known.find((each) => isSame(each, taint)) ?? { ...taint, timeAdded: now }),
      ];
    }
    if (holds(spec.removeOnConditions, cluster))
      result = result.filter((each) => !spec.taints.some((taint) => isSame(each, taint)));
  }
  return result;
}

function byAge({ metadata: a }: ClusterTaintPolicy, { metadata: b }: ClusterTaintPolicy): number {
  return compareBytes(a.creationTimestamp ?? "", b.creationTimestamp ?? "") || compareBytes(a.name, b.name);
}

function matches(affinity: NonNullable<ClusterTaintPolicy["spec"]["targetClusters"]>, cluster: Cluster): boolean {
  return compileClusterAffinity(affinity).mismatch(cluster) === undefined;
}

/** Whether all conditions hold; none at all never do, and what the cluster does not say holds for nobody. */
function holds(conditions: readonly MatchCondition[] | undefined, { status }: Cluster): boolean {
  if (conditions === undefined || conditions.length === 0) return false;
  return conditions.every(({ conditionType, operator, statusValues }) => {
    const said = status?.conditions?.find(({ type }) => type === conditionType)?.status;
    if (said === undefined) return false;
    return operator === "In" ? statusValues.includes(said) : operator === "NotIn" && !statusValues.includes(said);
  });
}

/** A taint is known by key and effect. */
function isSame(a: Pick<Taint, "key" | "effect">, b: Pick<Taint, "key" | "effect">): boolean {
  return a.key === b.key && a.effect === b.effect;
}
