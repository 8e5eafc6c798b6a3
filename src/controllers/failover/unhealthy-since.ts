import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import type { Binding } from "#api/work/resource-binding.ts";

/** The targets in which the application is unhealthy, by clusters that can be believed: what one that is not ready said last is old. */
export function unhealthyTargets({ spec, status }: Binding, clusters: ReadonlyMap<string, Cluster>): readonly string[] {
  if (spec.failover?.application === undefined) return [];
  const unhealthy = new Set(
    (status?.aggregatedStatus ?? [])
      .filter(({ health }) => health === "Unhealthy")
      .map(({ clusterName }) => clusterName),
  );
  return (spec.clusters ?? [])
    .map(({ name }) => name)
    .filter((name) => unhealthy.has(name) && isReady(clusters.get(name)));
}

/** Whether a cluster says that it is ready. */
export function isReady(cluster: Cluster | undefined): boolean {
  return (
    cluster?.status?.conditions?.some(({ type, status }) => type === readyCondition.type && status === "True") === true
  );
}

/** Since when each is unhealthy: those that were keep their time, those that are not any more lose it. */
export function unhealthySince(
  before: ReadonlyMap<string, number> | undefined,
  { unhealthy, nowMs }: { readonly unhealthy: readonly string[]; readonly nowMs: number },
): ReadonlyMap<string, number> {
  return new Map(unhealthy.map((name) => [name, before?.get(name) ?? nowMs]));
}
