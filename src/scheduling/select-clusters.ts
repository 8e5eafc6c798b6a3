import type { Placement } from "#api/policy/placement.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { type Candidate, comparePreference } from "./candidates.ts";
import { chooseGroups } from "./choose-regions.ts";
import { constraintOn, groupByRegion, type RegionGroup } from "./region-groups.ts";
import { ignoresSpreadConstraints, strategyOf } from "./replica-strategy.ts";

/** The clusters that receive the template, and how they were found; or why there are none. */
export type Selection = {
  /** What decided: nothing to decide, the number of clusters, or regions. */
  readonly by: "all" | "cluster" | "region";
  readonly regions: readonly RegionGroup[];
} & (
  | { readonly clusters: readonly Candidate[]; readonly problem?: never }
  | { readonly clusters?: never; readonly problem: string }
);

/**
 * Selects clusters by the spread constraints. `ranked` is in order of preference, and so is the result, except where regions
 * or room for replicas come first.
 */
export function selectClusters(ranked: readonly Candidate[], spec: BindingSpec): Selection {
  const { placement = {}, replicas = 0 } = spec;
  const regions = groupByRegion(ranked, spec);
  if ((placement.spreadConstraints ?? []).length === 0 || ignoresSpreadConstraints(placement)) {
    return { by: "all", regions, clusters: ranked };
  }
  if (constraintOn(placement, "region") !== undefined)
    return { by: "region", regions, ...byRegion(regions, placement) };
  const needed = strategyOf(placement) === "Duplicated" ? undefined : replicas;
  return { by: "cluster", regions, ...byCluster(ranked, placement, needed) };
}

type Outcome = { readonly clusters: readonly Candidate[] } | { readonly problem: string };

/** The preferred clusters up to maxGroups, which has no default: unset it means none. */
function byCluster(ranked: readonly Candidate[], placement: Placement, needed: number | undefined): Outcome {
  const constraint = constraintOn(placement, "cluster");
  if (constraint === undefined) return { problem: "just support cluster and region spread constraint" };
  const { minGroups = 0, maxGroups = 0 } = constraint;
  if (ranked.length < minGroups) {
    return { problem: "the number of feasible clusters is less than spreadConstraint.MinGroups" };
  }
  const count = Math.max(0, Math.min(maxGroups, ranked.length));
  if (needed === undefined) return { clusters: ranked.slice(0, count) };
  const clusters = withEnoughRoom(ranked, count, needed);
  return clusters.length === 0 ? { problem: `no enough resource when selecting ${count} clusters` } : { clusters };
}

/** When the preferred clusters have too little room together, the least preferred make place for roomier ones, from the last to the first. */
function withEnoughRoom(ranked: readonly Candidate[], count: number, needed: number): readonly Candidate[] {
  const chosen = ranked.slice(0, count);
  const others = ranked.slice(count);
  let room = chosen.reduce((sum, { available }) => sum + available, 0);
  for (let last = count - 1; room < needed && last >= 0; last--) {
    const leaving = chosen[last]!;
    const roomiest = indexOfRoomiest(others, leaving.available);
    if (roomiest === -1) continue;
    const entering = others[roomiest]!;
    chosen[last] = entering;
    others[roomiest] = leaving;
    room += entering.available - leaving.available;
  }
  return room < needed ? [] : chosen;
}

/** The first of the clusters with the most room, if it has more than given. */
function indexOfRoomiest(clusters: readonly Candidate[], room: number): number {
  let best = -1;
  let most = room;
  clusters.forEach(({ available }, index) => {
    if (available <= most) return;
    best = index;
    most = available;
  });
  return best;
}

/** The best cluster of each chosen region, then the preferred ones of the rest up to the number of clusters that is allowed. */
function byRegion(regions: readonly RegionGroup[], placement: Placement): Outcome {
  const { minGroups = 0, maxGroups = 0 } = constraintOn(placement, "region") ?? {};
  const { minGroups: minClusters = 0, maxGroups: maxClusters = 0 } = constraintOn(placement, "cluster") ?? {};
  if (regions.length < minGroups) {
    return { problem: "the number of feasible region is less than spreadConstraint.MinGroups" };
  }
  const groups = regions.map((region) => ({ ...region, size: region.clusters.length }));
  const chosen = chooseGroups(groups, { min: minGroups, max: maxGroups, clusters: minClusters });
  if (chosen === undefined || chosen.length === 0) {
    return { problem: "the number of clusters is less than the cluster spreadConstraint.MinGroups" };
  }
  const first = chosen.flatMap(({ clusters }) => clusters.slice(0, 1));
  const rest = chosen.flatMap(({ clusters }) => clusters.slice(1)).toSorted(comparePreference);
  return { clusters: [...first, ...rest.slice(0, Math.max(0, maxClusters - first.length))] };
}
