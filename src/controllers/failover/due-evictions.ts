import type { Cluster } from "#api/cluster/cluster.ts";
import type { Taint } from "#api/core/taint.ts";
import { evictionReasons, taintManagerProducer } from "#api/work/condition-reasons.ts";
import type { GracefulEvictionTask } from "#api/work/graceful-eviction-task.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { isDispatchingSuspended } from "#api/work/suspended-dispatching.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { formatTime } from "#base/clock.ts";
import { toleratedUntilMs } from "#scheduling/tolerated-until.ts";
import { printTaint } from "#scheduling/untolerated-taint.ts";

/** What makes a binding leave clusters. */
export interface EvictionFacts {
  readonly binding: Binding;
  /** The clusters that the binding is on, as far as they are known. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** Since when the application is unhealthy, by cluster, in milliseconds since 1970. */
  readonly unhealthySinceMs: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

/** A cluster that is to be left, and when. */
export interface Eviction {
  readonly dueMs: number;
  readonly task: GracefulEvictionTask;
}

/** Who is recorded as having moved an application, by the scope of its binding. */
const applicationProducers: Readonly<Record<Binding["kind"], string>> = {
  ResourceBinding: "resource-binding-application-failover-controller",
  ClusterResourceBinding: "cluster-resource-binding-application-failover-controller",
};

/** The clusters whose taints drive the binding out, sooner or later. While dispatching to one is suspended, nothing leaves it (ruling 14). */
export function taintEvictions({ binding: { spec }, clusters, nowMs }: EvictionFacts): readonly Eviction[] {
  const tolerations = spec.placement?.clusterTolerations ?? [];
  return movable(spec).flatMap((target) => {
    const cluster = clusters.get(target.name);
    if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return []; // the scheduler's affair
    const limits = noExecuteTaints(cluster).map((taint) => {
      const addedMs = Math.min(nowMs, Date.parse(taint.timeAdded ?? cluster.metadata.creationTimestamp ?? ""));
      return { taint, dueMs: Math.max(addedMs, toleratedUntilMs(taint, tolerations)) };
    });
    const [first] = limits.toSorted((a, b) => a.dueMs - b.dueMs || 0); // Infinity - Infinity is no number
    if (first === undefined || first.dueMs === Number.POSITIVE_INFINITY) return [];
    const task = {
      ...taskFor(target, nowMs),
      purgeMode: spec.failover?.cluster?.purgeMode ?? "Gracefully",
      reason: evictionReasons.taintUntolerated,
      message: `cluster ${target.name} has the taint ${printTaint(first.taint)}, which is not tolerated`.slice(
        0,
        1_024,
      ),
      producer: taintManagerProducer,
    } as const;
    return [{ dueMs: first.dueMs, task }];
  });
}

/** The taints that drive out. */
export function noExecuteTaints({ spec }: Cluster): readonly Taint[] {
  return (spec.taints ?? []).filter(({ effect }) => effect === "NoExecute");
}

/** The clusters in which the application is unhealthy for too long, sooner or later. */
export function applicationEvictions({ binding, unhealthySinceMs, nowMs }: EvictionFacts): readonly Eviction[] {
  const { application } = binding.spec.failover ?? {};
  if (application === undefined || binding.spec.propagateDeps !== true) return [];
  const { purgeMode, gracePeriodSeconds } = application;
  const { tolerationSeconds } = application.decisionConditions;
  return movable(binding.spec).flatMap((target) => {
    const sinceMs = unhealthySinceMs.get(target.name);
    if (sinceMs === undefined) return [];
    const task = {
      ...taskFor(target, nowMs),
      purgeMode,
      reason: evictionReasons.applicationFailure,
      message: `the application is unhealthy in cluster ${target.name} for more than ${tolerationSeconds} seconds`,
      producer: applicationProducers[binding.kind],
      ...(purgeMode === "Gracefully" && gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(purgeMode === "Never" && { suppressDeletion: true }),
    } as const;
    return [{ dueMs: sinceMs + tolerationSeconds * 1_000, task }];
  });
}

function movable(spec: Binding["spec"]): readonly TargetCluster[] {
  return (spec.clusters ?? []).filter(({ name }) => !isDispatchingSuspended(spec, name));
}

function taskFor({ name, replicas = 0 }: TargetCluster, nowMs: number) {
  return { fromCluster: name, creationTimestamp: formatTime(nowMs), ...(replicas > 0 && { replicas }) };
}
