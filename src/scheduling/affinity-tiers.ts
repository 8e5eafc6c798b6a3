import type { Placement } from "#api/policy/placement.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { type AffinityTarget, type ClusterMatcher, compileClusterAffinity } from "#selection/cluster-affinity.ts";
import { dividesByCapacity, isWorkload } from "./replica-strategy.ts";

/** The groups of clusters that one pass may use: the primary one, then those that take what does not fit. */
export interface AffinityTiers {
  /** Empty when any cluster will do. */
  readonly tiers: readonly AffinityTier[];
  /** Whether replicas fill one tier before the next. */
  readonly overflows: boolean;
}

export interface AffinityTier {
  /** The name of the group, if it has one. */
  readonly name?: string;
  readonly matcher: ClusterMatcher;
}

/** The groups for a binding, where `affinityName` says which of its clusterAffinities is tried. A name that none of them has means any cluster. */
export function affinityTiers(spec: BindingSpec, affinityName: string | undefined): AffinityTiers {
  const { clusterAffinity, clusterAffinities = [] } = spec.placement ?? {};
  if (clusterAffinity !== undefined) {
    return { tiers: [{ matcher: compileClusterAffinity(clusterAffinity) }], overflows: false };
  }
  const term = clusterAffinities.find((each) => each.affinityName === (affinityName ?? ""));
  if (term === undefined) return { tiers: [], overflows: false };
  const primary = { name: term.affinityName, matcher: compileClusterAffinity(term) };
  const overflow = mayOverflow(spec) ? (term.overflowAffinities ?? []) : [];
  const others = overflow.map((each) => ({ name: each.affinityName, matcher: compileClusterAffinity(each) }));
  return { tiers: [primary, ...others], overflows: others.length > 0 };
}

/** The first tier that has the cluster, counted from 0; undefined when none has it. */
export function tierOf({ tiers }: AffinityTiers, cluster: AffinityTarget): number | undefined {
  if (tiers.length === 0) return 0;
  for (let index = 0; index < tiers.length; index++)
    if (tiers[index]!.matcher.mismatch(cluster) === undefined) return index;
  return undefined;
}

function mayOverflow(spec: BindingSpec & { readonly placement?: Placement }): boolean {
  return spec.placement !== undefined && isWorkload(spec) && dividesByCapacity(spec.placement);
}
