import { scheduledCondition } from "#api/work/condition-reasons.ts";
import type { GracefulEvictionTask } from "#api/work/graceful-eviction-task.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { isDispatchingSuspended } from "#api/work/suspended-dispatching.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { formatTime } from "#base/clock.ts";
import { isJsonObject } from "#base/json.ts";

export interface TaskFacts {
  readonly binding: Binding;
  readonly nowMs: number;
  /** How long a copy waits for its replacement when its task does not say. */
  readonly timeoutMs: number;
  /** Whether a copy that nothing replaces stays beyond its time (ruling 19). */
  readonly keepsOnlyCopies: boolean;
  /** Whether clusters are found for the binding as it is now: what scheduling said last may be about what it was before. */
  readonly fits: () => boolean;
}

/** What becomes of the tasks of a binding. */
export interface TaskVerdict {
  /** The tasks that go on, each with the time at which it was made. */
  readonly kept: readonly GracefulEvictionTask[];
  /** The clusters whose copies may go now. */
  readonly ended: readonly string[];
  /** The clusters whose copies should have gone by now and stay, because nothing replaces them. */
  readonly overdue: readonly string[];
  /** When the next task runs out of time. */
  readonly nextMs?: number;
}

/**
 * Which evictions are over. A copy goes when someone says so, when all targets serve, or when its time is up. It stays while someone says
 * so, while dispatching to it or to its replacement is suspended (ruling 14), and while nothing replaces it.
 */
export function decideTasks(facts: TaskFacts): TaskVerdict {
  const tasks = facts.binding.spec.gracefulEvictionTasks ?? [];
  const replaced = isReplaced(facts.binding);
  const kept: GracefulEvictionTask[] = [];
  const ended: string[] = [];
  const overdue: string[] = [];
  const limits: number[] = [];
  for (const task of tasks) {
    const { creationTimestamp = formatTime(facts.nowMs) } = task;
    const fate = fateOf({ ...task, creationTimestamp }, { ...facts, replaced });
    if (fate === "ends") {
      ended.push(task.fromCluster);
      continue;
    }
    kept.push(task.creationTimestamp === undefined ? { ...task, creationTimestamp } : task);
    if (fate === "overdue") overdue.push(task.fromCluster);
    else if (fate !== "waits") limits.push(fate);
  }
  return { kept, ended, overdue, ...(limits.length > 0 && { nextMs: Math.min(...limits) }) };
}

type Fate = "ends" | "waits" | "overdue" | number;

function fateOf(
  task: GracefulEvictionTask & { readonly creationTimestamp: string },
  { binding, nowMs, timeoutMs, keepsOnlyCopies, fits, replaced }: TaskFacts & { readonly replaced: boolean },
): Fate {
  if (task.suppressDeletion !== undefined) return task.suppressDeletion ? "waits" : "ends";
  if (isPaused(binding, task)) return "waits";
  if (replaced) return "ends";
  const graceMs = task.gracePeriodSeconds === undefined ? timeoutMs : task.gracePeriodSeconds * 1_000;
  const endsMs = Date.parse(task.creationTimestamp) + graceMs;
  if (nowMs < endsMs) return endsMs;
  if (!keepsOnlyCopies) return "ends";
  if (!isPlaced(binding) || !fits()) return "overdue";
  return isSent(binding, task) ? "ends" : "waits";
}

/** Resuming changes the binding, which brings it back here. */
function isPaused({ spec }: Binding, { fromCluster }: GracefulEvictionTask): boolean {
  const concerned = [fromCluster, ...(spec.clusters ?? []).map(({ name }) => name)];
  return concerned.some((cluster) => isDispatchingSuspended(spec, cluster));
}

/** Whether scheduling has found a place for everything, as far as it said. */
function isPlaced({ spec, status }: Binding): boolean {
  const scheduled = status?.conditions?.find(({ type }) => type === scheduledCondition.type);
  return (spec.clusters ?? []).length > 0 && scheduled?.status !== "False";
}

/**
 * Whether something goes to every target: what cannot be rendered, or is frozen, replaces nothing. Its report brings the binding back
 * here. An old copy that is on its way out already, as where it has to go first, waits for nobody.
 */
function isSent({ spec, status }: Binding, { fromCluster }: GracefulEvictionTask): boolean {
  const known = new Set((status?.aggregatedStatus ?? []).map(({ clusterName }) => clusterName));
  return !known.has(fromCluster) || (spec.clusters ?? []).every(({ name }) => known.has(name));
}

/** Whether scheduling has seen the binding as it is now, and every target serves what it was given. */
function isReplaced(binding: Binding): boolean {
  const { metadata, spec, status } = binding;
  const { clusters = [] } = spec;
  if (!isPlaced(binding) || status?.schedulerObservedGeneration !== metadata.generation) return false;
  const items = new Map((status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]));
  return clusters.every((target) => serves(target, items.get(target.name)));
}

type StatusItem = NonNullable<NonNullable<Binding["status"]>["aggregatedStatus"]>[number];

/** A target that was healthy with fewer replicas than it has to run now has yet to see that it is to run more. */
function serves({ replicas = 0 }: TargetCluster, item: StatusItem | undefined): boolean {
  if (item?.health !== "Healthy") return false;
  const running = isJsonObject(item.status) ? item.status["replicas"] : undefined;
  return typeof running !== "number" || running >= replicas;
}
