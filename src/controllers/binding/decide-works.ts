import type { ApiObject } from "#api/meta/object-meta.ts";
import type { GracefulEvictionTask } from "#api/work/graceful-eviction-task.ts";
import { isHeldBack } from "#api/work/released-clusters.ts";
import type { Binding, BindingSpec } from "#api/work/resource-binding.ts";
import { isDispatchingSuspended } from "#api/work/suspended-dispatching.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import type { Work } from "#api/work/work.ts";
import { compareBytes, sortedByName } from "#base/byte-order.ts";
import type { Plan } from "#base/plan.ts";

/** All that decideWorks may look at, read once. */
export interface WorksFacts {
  readonly binding: Binding;
  readonly template: ApiObject | undefined;
  /** The works this binding already has, by member cluster. */
  readonly works: ReadonlyMap<string, Work>;
  /** The template as each target should receive it, replicas revised and overrides applied, by cluster; without frozen ones. */
  readonly rendered: ReadonlyMap<string, RenderResult>;
}

/** Which works stay as they are: those that exist, all of them, or none. */
export type Frozen = "nothing" | "existing works" | "all works";

/** A work as it should be, or why it cannot be made. One cluster's failure is its own. */
export type RenderResult =
  | { readonly ok: true; readonly work: Work }
  | {
      readonly ok: false;
      readonly error: string;
      /** When it may go well. */
      readonly retryAfterMs?: number;
    };

export type WorksStep =
  | { readonly do: "putWork"; readonly cluster: string; readonly work: Work }
  | { readonly do: "deleteWork"; readonly cluster: string; readonly work: Work; readonly because: Removal }
  | { readonly do: "reportFailure"; readonly cluster: string; readonly error: string }
  | { readonly do: "releaseBinding" };

type Removal = "binding deleted" | "cluster no longer a target";

/**
 * One work per target cluster, and none elsewhere.
 *
 * A cluster under eviction keeps its work until the eviction task is gone, so the replicas it serves outlive their replacements'
 * start. A task that purges "Directly" asks for the opposite: the old work goes first, and nothing new appears anywhere while it is
 * still there (two writers must never overlap). What has nowhere to go yet, or cannot be sent there, stays, however it is purged, and so
 * does what others there still need: these leave once they serve elsewhere, and need it there, too.
 * Where a change is released cluster by cluster, a cluster whose turn has not come loses nothing either; what fails there may leave.
 */
export function decideWorks({ binding, template, works, rendered }: WorksFacts): Plan<WorksStep> {
  const { spec, metadata } = binding;
  if (metadata.deletionTimestamp !== undefined) {
    const steps = removals(works, "binding deleted");
    return works.size === 0
      ? { steps: [{ do: "releaseBinding" }] }
      : { steps, waitFor: { reason: "works are being removed" } };
  }
  const targets = targetClusters(spec);
  const evictions = spec.gracefulEvictionTasks ?? [];
  const isReplaced = targets.some(({ name }) => works.has(name) || rendered.get(name)?.ok === true);
  const isPurged = ({ purgeMode }: GracefulEvictionTask) => purgeMode === "Directly" && isReplaced;
  const draining = evictions.filter((task) => !isPurged(task)).map(({ fromCluster }) => fromCluster);
  const served = new Set<string>();
  for (const { name } of targets) served.add(name);
  const kept = draining.length === 0 ? served : new Set([...served, ...draining]);
  const isEvicted = (cluster: string) => evictions.some(({ fromCluster }) => fromCluster === cluster);
  const waits = (cluster: string) =>
    template !== undefined && isHeldBack(template.metadata, cluster) && !isEvicted(cluster);
  const steps: WorksStep[] = [];
  for (const [cluster, work] of works)
    if (!kept.has(cluster) && !waits(cluster))
      steps.push({ do: "deleteWork", cluster, work, because: "cluster no longer a target" });

  const isGoing = ({ fromCluster }: GracefulEvictionTask) => works.has(fromCluster) && !served.has(fromCluster);
  const purged = evictions.find((task) => isPurged(task) && isGoing(task));
  if (purged !== undefined) return { steps, waitFor: { reason: `work in ${purged.fromCluster} is being purged` } };
  if (template === undefined) return { steps }; // deleted: its garbage collection will take the binding along
  for (const { name } of targets) {
    const result = rendered.get(name);
    if (result !== undefined) steps.push(sent(result, name));
  }
  for (const cluster of draining) if (!served.has(cluster)) steps.push(...paused(spec, cluster, works.get(cluster)));
  const waitFor = retryOf(rendered);
  return waitFor === undefined ? { steps } : { steps, waitFor };
}

/** When the first that could not be rendered may go well. */
function retryOf(rendered: WorksFacts["rendered"]): Plan<WorksStep>["waitFor"] {
  for (const each of rendered.values())
    if (!each.ok && each.retryAfterMs !== undefined) return { reason: each.error, retryAfterMs: each.retryAfterMs };
  return undefined;
}

/** The scheduler's targets, then clusters that referrers need; the first mention of a cluster counts. Sorted by name. */
export function targetClusters({ clusters = [], requiredBy = [] }: BindingSpec): readonly TargetCluster[] {
  if (requiredBy.length === 0 && isInOrder(clusters)) return clusters;
  const all = new Map<string, TargetCluster>();
  for (const target of [...clusters, ...requiredBy.flatMap((referrer) => referrer.clusters ?? [])]) {
    if (!all.has(target.name)) all.set(target.name, target);
  }
  return sortedByName([...all.values()]);
}

/** Whether every cluster is there once, in the order of names: as scheduling leaves them, mostly. */
function isInOrder(clusters: readonly TargetCluster[]): boolean {
  return clusters.every(({ name }, index) => index === 0 || compareBytes(clusters[index - 1]!.name, name) < 0);
}

function sent(result: RenderResult, cluster: string): WorksStep {
  return result.ok
    ? { do: "putWork", cluster, work: result.work }
    : { do: "reportFailure", cluster, error: result.error };
}

/** A copy on its way out gets nothing new, but it is not repaired either while dispatching is suspended. */
function paused(spec: BindingSpec, cluster: string, work: Work | undefined): readonly WorksStep[] {
  if (work === undefined || work.metadata.deletionTimestamp !== undefined) return [];
  const suspendDispatching = isDispatchingSuspended(spec, cluster);
  if ((work.spec.suspendDispatching ?? false) === suspendDispatching) return [];
  return [{ do: "putWork", cluster, work: { ...work, spec: { ...work.spec, suspendDispatching } } }];
}

function removals(works: ReadonlyMap<string, Work>, because: Removal): readonly WorksStep[] {
  return [...works].map(([cluster, work]) => ({ do: "deleteWork", cluster, work, because }));
}
