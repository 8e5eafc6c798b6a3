import { evictionReasons } from "#api/work/condition-reasons.ts";
import type { GracefulEvictionTask } from "#api/work/graceful-eviction-task.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { acceptsBinding } from "#scheduling/accepted-binding.ts";
import type { ScheduleDecision } from "#scheduling/decide-schedule.ts";
import { applicationEvictions, type Eviction, type EvictionFacts, taintEvictions } from "./due-evictions.ts";
import { withEvictions, withTasks } from "./evicted-spec.ts";

export interface FailoverFacts extends EvictionFacts {
  /** Where scheduling would put a binding, and the binding with that written down. */
  readonly schedule: (binding: Binding) => { readonly decision: ScheduleDecision; readonly placed: Binding };
  readonly options: FailoverOptions;
}

export interface FailoverOptions {
  /** Gate GracefulEviction: whether what a taint drives out stays until its replacement is healthy. */
  readonly graceful: boolean;
  /** Gate ClearTargetsWhenNoFit: whether what fits nowhere else leaves nevertheless, as in Karmada. */
  readonly leavesForNowhere: boolean;
}

/** What becomes of a binding; `nextMs` is when the next cluster is to be left. */
export type FailoverVerdict = { readonly nextMs?: number } & (
  | { readonly kind: "stays" }
  | { readonly kind: "moves"; readonly binding: Binding; readonly tasks: readonly GracefulEvictionTask[] }
  | {
      /** It should leave and cannot: nothing that runs is given up for nothing (ruling 19). */
      readonly kind: "stranded";
      readonly tasks: readonly GracefulEvictionTask[];
      readonly sinceMs: number;
      readonly why: string;
    }
);

/**
 * Which clusters a binding leaves now, and where it goes instead, in one piece: the replicas are never fewer than the template asks for.
 *
 * All clusters that are due are left together or not at all. What a taint drives out goes first; what is unhealthy moves only to
 * clusters that take it over, since a copy that nobody replaces would come back as soon as it has gone.
 */
export function decideFailover(facts: FailoverFacts): FailoverVerdict {
  const { binding, nowMs } = facts;
  if (!mayMove(binding)) return { kind: "stays" };
  const [tainted, failed] = [taintEvictions(facts), applicationEvictions(facts)];
  const next = nextOf([...tainted, ...failed], nowMs);
  const driven = tainted.filter(({ dueMs }) => dueMs <= nowMs);
  if (driven.length > 0) return { ...leave(facts, driven), ...next };
  const broken = failed.filter(({ dueMs }) => dueMs <= nowMs);
  if (broken.length === 0) return { kind: "stays", ...next };
  return { ...leave(facts, broken), ...next };
}

/**
 * Whether a binding goes elsewhere at once: it leaves clusters, or has left some and is not placed yet. What is sent before that goes to
 * clusters that are about to be left.
 */
export function isAboutToMove(facts: FailoverFacts): boolean {
  const { binding, schedule } = facts;
  if (!mayMove(binding)) return false;
  const isLeaving = (binding.spec.gracefulEvictionTasks ?? []).length > 0;
  return (isLeaving && schedule(binding).placed !== binding) || decideFailover(facts).kind === "moves";
}

/** Only what our scheduler places is moved: it would have no place to go otherwise. */
function mayMove(binding: Binding): boolean {
  const { metadata, spec } = binding;
  return metadata.deletionTimestamp === undefined && spec.placement !== undefined && acceptsBinding(binding);
}

function nextOf(evictions: readonly Eviction[], nowMs: number): { readonly nextMs?: number } {
  const later = evictions.map(({ dueMs }) => dueMs).filter((dueMs) => dueMs > nowMs);
  return later.length === 0 ? {} : { nextMs: Math.min(...later) };
}

function leave({ binding, schedule, options }: FailoverFacts, evictions: readonly Eviction[]): FailoverVerdict {
  const tasks = evictions.map(({ task }) => task);
  const evicted = { ...binding, spec: withEvictions(binding.spec, tasks) };
  const { decision, placed } = schedule(evicted);
  // what is left may be enough by chance, of more than there should be: whether the binding fits anywhere is asked nevertheless
  const judged = decision.trigger === undefined ? schedule(binding).decision : decision;
  const failure = judged.attempts.at(-1)?.failure;
  if (failure !== undefined && !options.leavesForNowhere) return stranded(evictions, failure.message);
  const needsHeir = tasks.every(({ reason }) => reason === evictionReasons.applicationFailure);
  if (needsHeir && failure === undefined && !isTakenOver(binding.spec.clusters, decision.clusters))
    return stranded(evictions, "no other cluster takes over");
  const group = decision.status?.schedulerObservingAffinityName;
  // another group of clusters is written with its name: the scheduler does that in one go
  const sameGroup = group === binding.status?.schedulerObservingAffinityName;
  const next = failure === undefined && sameGroup ? placed : evicted;
  return { kind: "moves", binding: options.graceful ? next : withoutTraces(next, tasks), tasks };
}

/** Ungraceful: what a taint drives out leaves no task behind, the taint itself keeps it out. An unhealthy application has no such guard. */
function withoutTraces(binding: Binding, tasks: readonly GracefulEvictionTask[]): Binding {
  const driven = new Set(tasks.filter(({ reason }) => reason === evictionReasons.taintUntolerated));
  const kept = (binding.spec.gracefulEvictionTasks ?? []).filter((task) => !driven.has(task));
  return { ...binding, spec: withTasks(binding.spec, kept) };
}

function stranded(evictions: readonly Eviction[], why: string): FailoverVerdict {
  const sinceMs = Math.max(...evictions.map(({ dueMs }) => dueMs));
  return { kind: "stranded", tasks: evictions.map(({ task }) => task), sinceMs, why };
}

/** Whether some cluster gets what it did not have. */
function isTakenOver(before: readonly TargetCluster[] = [], after: readonly TargetCluster[] = []): boolean {
  const had = new Map(before.map(({ name, replicas = 0 }) => [name, replicas]));
  return after.some(({ name, replicas = 0 }) => replicas > (had.get(name) ?? -1));
}
