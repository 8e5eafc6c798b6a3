import { rebalanceOutcomes } from "#api/apps/rebalance-outcomes.ts";
import type { WorkloadRebalancer } from "#api/apps/workload-rebalancer.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { compareBytes } from "#base/byte-order.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";

export type RebalancedWorkload = WorkloadRebalancer["spec"]["workloads"][number];
export type RebalancerStatus = NonNullable<WorkloadRebalancer["status"]>;
type ObservedWorkload = NonNullable<RebalancerStatus["observedWorkloads"]>[number];

export interface RebalanceFacts {
  readonly rebalancer: WorkloadRebalancer;
  /** The bindings of the workloads that are still to be tried, by workload key; one that is missing does not exist. */
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly now: string;
}

/** Ask for a fresh schedule of one workload. */
export interface Trigger {
  readonly workload: string;
  readonly binding: Binding;
  readonly at: string;
}

export type RebalanceStep =
  | { readonly do: "rebalance"; readonly triggers: readonly Trigger[]; readonly status: RebalancerStatus | undefined }
  | { readonly do: "deleteRebalancer" };

/** Tries every workload that has no result yet, once; a rebalancer that has finished stays as long as its ttl says. */
export function decideRebalance({ rebalancer, bindings, now }: RebalanceFacts): Plan<RebalanceStep> {
  const { metadata, spec, status = {} } = rebalancer;
  if (metadata.deletionTimestamp !== undefined) return { steps: [] };
  const listed = workloadsOf(rebalancer);
  const pending = listed.filter(({ result }) => isUntried(result));
  const at = metadata.creationTimestamp ?? now;
  const triggers = pending.flatMap(({ workload }) => {
    const binding = bindings.get(workloadKey(workload));
    if (binding === undefined || isLater(binding.spec.rescheduleTriggeredAt, at)) return [];
    return [{ workload: workloadKey(workload), binding, at }];
  });
  const observedWorkloads = listed.map((item) =>
    isUntried(item.result) ? outcomeOf(item.workload, bindings.get(workloadKey(item.workload))) : item,
  );
  const next = { observedWorkloads, observedGeneration: metadata.generation ?? 0 };
  const { finishTime, ...before } = status;
  if (triggers.length > 0 || finishTime === undefined || !jsonEquals(next, before))
    return { steps: [{ do: "rebalance", triggers, status: { ...next, finishTime: now } }] };
  return decideExpiry(spec.ttlSecondsAfterFinished, finishTime, now);
}

/** The status when some triggers failed: those workloads have no result yet, and nothing is finished. */
export function withoutResults(
  { observedWorkloads = [], finishTime: _, ...rest }: RebalancerStatus,
  failed: ReadonlySet<string>,
): RebalancerStatus {
  return {
    ...rest,
    observedWorkloads: observedWorkloads.map((item) =>
      failed.has(workloadKey(item.workload)) ? { workload: item.workload } : item,
    ),
  };
}

/** The workloads that have no result yet. */
export function untriedWorkloads(rebalancer: WorkloadRebalancer): readonly RebalancedWorkload[] {
  return workloadsOf(rebalancer)
    .filter(({ result }) => isUntried(result))
    .map(({ workload }) => workload);
}

/** `apiVersion kind namespace name`: what identifies a workload, and sorts the list of them. */
export function workloadKey({ apiVersion, kind, namespace = "", name }: RebalancedWorkload): string {
  return `${apiVersion} ${kind} ${namespace} ${name}`;
}

/** What the status should list: the spec's workloads, and those that succeeded before they were taken out of it. */
function workloadsOf({ spec, status }: WorkloadRebalancer): readonly ObservedWorkload[] {
  const wanted = new Map(spec.workloads.map((workload) => [workloadKey(workload), workload]));
  const known = (status?.observedWorkloads ?? []).filter(
    ({ workload, result }) => wanted.has(workloadKey(workload)) || result === rebalanceOutcomes.successful,
  );
  for (const { workload } of known) wanted.delete(workloadKey(workload));
  const added = [...wanted.values()].map((workload) => ({ workload }));
  return [...known, ...added].toSorted((a, b) => compareBytes(workloadKey(a.workload), workloadKey(b.workload)));
}

function outcomeOf(workload: RebalancedWorkload, binding: Binding | undefined): ObservedWorkload {
  const { successful, failed, bindingNotFound } = rebalanceOutcomes;
  return binding === undefined
    ? { workload, result: failed, reason: bindingNotFound }
    : { workload, result: successful };
}

function isUntried(result: string | undefined): boolean {
  return result !== rebalanceOutcomes.successful && result !== rebalanceOutcomes.failed;
}

/** Whether a fresh schedule was asked for at that time or later already. */
function isLater(triggeredAt: string | undefined, at: string): boolean {
  return triggeredAt !== undefined && Date.parse(triggeredAt) >= Date.parse(at);
}

function decideExpiry(ttlSeconds: number | undefined, finishTime: string, now: string): Plan<RebalanceStep> {
  if (ttlSeconds === undefined) return { steps: [] };
  const leftMs = Date.parse(finishTime) + ttlSeconds * 1_000 - Date.parse(now);
  return leftMs <= 0
    ? { steps: [{ do: "deleteRebalancer" }] }
    : { steps: [], waitFor: { reason: "it stays for a while after it has finished", retryAfterMs: leftMs } };
}
