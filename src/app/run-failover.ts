import type { Cluster } from "#api/cluster/cluster.ts";
import type { FeatureGates } from "#api/feature-gates.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Metrics } from "#base/metrics.ts";
import type { Client } from "#client/client.ts";
import { isAboutToMove } from "#controllers/failover/decide-failover.ts";
import { noExecuteTaints } from "#controllers/failover/due-evictions.ts";
import {
  clustersOf,
  type FailoverStep,
  type FailoverTurn,
  failoverController,
  targetsOf,
} from "#controllers/failover/failover-controller.ts";
import { gracefulEvictionController } from "#controllers/graceful-eviction/graceful-eviction-controller.ts";
import type { ClusterSnapshots } from "#controllers/scheduler/cluster-snapshots.ts";
import { decidePlacing } from "#controllers/scheduler/decide-placing.ts";
import type { Controller } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import { evictionFigures } from "#runtime/eviction-figures.ts";
import type { IndexFunction, Informer } from "#runtime/informer.ts";
import type { RunningController, RunObserver } from "#runtime/run-controller.ts";
import type { ScheduleOptions } from "#scheduling/decide-schedule.ts";

export interface FailoverParts {
  readonly client: Client;
  /** Of both scopes, with `failoverIndexes`. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly clusters: Informer<ApiObject>;
  readonly snapshots: ClusterSnapshots;
  readonly scheduling: ScheduleOptions;
  readonly gates: Pick<FeatureGates, "Failover" | "GracefulEviction" | "ClearTargetsWhenNoFit">;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** How long a copy that is being left waits for its replacement. */
  readonly timeoutMs: number;
  /** Whether the caches were full before: what is there is no news. */
  readonly joinsLate: boolean;
}

type Run = <Facts, Step>(
  controller: Controller<Facts, Step>,
  more?: { readonly observer?: RunObserver<Facts, Step> },
) => RunningController;

/** How the informers of bindings find what is on a cluster; nobody asks while nothing fails over. */
export function failoverIndexes(gates: FailoverParts["gates"]): Readonly<Record<string, IndexFunction<ApiObject>>> {
  return gates.Failover ? { cluster: targetsOf } : {};
}

/** Runs what moves workloads away from failures, and what ends the moves that this or anybody else began. */
export function runFailover(run: Run, parts: FailoverParts): void {
  const { client, bindings, clusters, gates, events, clock, timeoutMs, joinsLate } = parts;
  const schedule = scheduleBy(parts);
  if (gates.Failover) {
    const options = optionsOf(gates);
    const { observer, watch } = countedEvictions(parts.metrics);
    const needs = { client, bindings, clusters, schedule, options, events, clock, joinsLate };
    watch(run(failoverController(needs), { observer }));
  }
  const keepsOnlyCopies = !gates.ClearTargetsWhenNoFit;
  run(
    gracefulEvictionController({
      client,
      bindings,
      clusters,
      schedule,
      events,
      clock,
      timeoutMs,
      keepsOnlyCopies,
      joinsLate,
    }),
  );
}

/** Tells of a binding whether it is about to leave clusters whose taints it does not tolerate. */
export function movesSoon(parts: Pick<FailoverParts, "clusters" | "snapshots" | "scheduling" | "gates" | "clock">) {
  const { clusters, gates, clock } = parts;
  if (!gates.Failover) return () => false;
  const schedule = scheduleBy(parts);
  const options = optionsOf(gates);
  const isTainted = ({ name }: TargetCluster) => {
    const cluster = clusters.get({ name }) as unknown as Cluster | undefined; // the informer's kind
    return cluster !== undefined && noExecuteTaints(cluster).length > 0;
  };
  return (binding: Binding): boolean => {
    const { clusters: targets = [], gracefulEvictionTasks: tasks = [] } = binding.spec;
    if (tasks.length === 0 && !targets.some(isTainted)) return false; // nearly always
    return isAboutToMove({
      binding,
      clusters: clustersOf(binding, clusters),
      unhealthySinceMs: new Map(), // how long that lasts is known to who moves it alone
      nowMs: clock.nowMs(),
      schedule,
      options,
    });
  };
}

function scheduleBy({ snapshots, scheduling, clock }: Pick<FailoverParts, "snapshots" | "scheduling" | "clock">) {
  return (binding: Binding) => {
    const now = formatTime(clock.nowMs());
    const facts = { binding, clusters: snapshots.current(), options: scheduling, now };
    const { decision, spec: placed = binding } = decidePlacing(facts);
    return { decision, placed };
  };
}

function optionsOf({ GracefulEviction: graceful, ClearTargetsWhenNoFit: leavesForNowhere }: FailoverParts["gates"]) {
  return { graceful, leavesForNowhere };
}

/** Counts what leaves clusters, under Karmada's names for the queues of both scopes; here one queue serves both. */
function countedEvictions(metrics: Metrics) {
  const figures: Readonly<Record<Binding["kind"], ReturnType<typeof evictionFigures>>> = {
    ResourceBinding: evictionFigures(metrics, "binding-eviction"),
    ClusterResourceBinding: evictionFigures(metrics, "cluster-binding-eviction"),
  };
  const observer: RunObserver<FailoverTurn, FailoverStep> = {
    step(step, { facts: { binding, verdict }, result, seconds }) {
      if (step.do !== "move" || verdict.kind !== "moves") return;
      figures[binding.kind].finished(result, seconds);
      if (result === "error") return;
      for (const { fromCluster } of verdict.tasks) figures[binding.kind].evicted(fromCluster, binding.kind);
    },
  };
  return { observer, watch: ({ queue }: RunningController) => figures.ResourceBinding.watchDepth(() => queue.size) };
}
