import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { appliedCondition, policyPendingCondition, scheduledCondition } from "#api/work/condition-reasons.ts";
import { isHeldBack, releasedClusters } from "#api/work/released-clusters.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { reconcileRequestAnnotation, templateGenerationAnnotation } from "#api/work/template-keys.ts";
import type { Work } from "#api/work/work.ts";
import type { Arrival } from "./decide-wave.ts";

export interface ArrivalFacts {
  readonly template: ApiObject;
  readonly binding: Binding | undefined;
  /** By cluster. */
  readonly works: ReadonlyMap<string, Work>;
}

/** Why a binding waits for its user; undefined where nothing waits, or where all that waits is the next cluster. */
export function pendingReason(binding: Binding | undefined): string | undefined {
  const { type, reasons } = policyPendingCondition;
  const pending = binding?.status?.conditions?.find((each) => each.type === type && each.status === "True");
  return pending?.reason === reasons["released cluster by cluster"] ? undefined : pending?.reason;
}

/** Whether what was asked for has arrived, healthy, on every cluster that it is released on. */
export function arrivalOf({ template, binding, works }: ArrivalFacts): Arrival {
  if (binding === undefined) return waiting("its binding");
  const pending = pendingReason(binding);
  if (pending === policyPendingCondition.reasons["no policy matches the edited template"])
    return { is: "failed", why: "no policy matches it" };
  if (pending !== undefined) return waiting("its policy to act");
  const { metadata, spec, status } = binding;
  const scheduled = status?.conditions?.find(({ type }) => type === scheduledCondition.type);
  if (scheduled?.status === "False")
    return { ...waiting("the scheduler"), stuck: `cannot be scheduled: ${scheduled.message}` };
  if (status?.schedulerObservedGeneration !== metadata.generation) return waiting("the scheduler");
  const targets = [...(spec.clusters ?? []), ...(spec.requiredBy ?? []).flatMap(({ clusters }) => clusters ?? [])];
  const wanted = new Set(targets.map(({ name }) => name));
  const released = (cluster: string) => !isHeldBack(template.metadata, cluster);
  for (const cluster of [...wanted].filter(released).toSorted()) {
    const waitsFor = waitsForWork(template, works.get(cluster));
    if (waitsFor !== undefined) return waiting(`${waitsFor} in ${cluster}`);
  }
  const evicted = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  const leaving = [...works.keys()].find((name) => !wanted.has(name) && !evicted.has(name) && released(name));
  return leaving === undefined ? { is: "there" } : waiting(`its removal from ${leaving}`);
}

/** How many of the stages a template has been asked to pass: clusters in their order, then the rest. */
export function stagesAsked(template: ApiObject, binding: Binding | undefined, order: readonly string[]): number {
  if (binding === undefined || pendingReason(binding) !== undefined) return 0;
  const released = releasedClusters(template.metadata);
  if (released === undefined) return order.length + 1;
  const next = order.findIndex((cluster) => !released.includes(cluster));
  return next === -1 ? order.length : next;
}

function waiting(waitsFor: string) {
  return { is: "under way", waitsFor } as const;
}

function waitsForWork({ metadata }: ApiObject, work: Work | undefined): string | undefined {
  if (work === undefined) return "its work";
  const request = metadata.annotations?.[reconcileRequestAnnotation];
  if (work.metadata.annotations?.[reconcileRequestAnnotation] !== request) return "its work to be made anew";
  if (work.spec.suspendDispatching === true) return undefined; // somebody wants it to wait there
  const applied = work.status?.conditions?.find(({ type }) => type === appliedCondition.type);
  if (applied?.status === "False") return `success (${applied.message})`;
  if (applied === undefined) return "arrival";
  const reports = work.status?.manifestStatuses ?? [];
  const manifests = (work.spec.workload?.manifests ?? []) as readonly Fields[]; // objects, or else nothing is reported of them
  if (reports.length < manifests.length) return "a report";
  const isWell = manifests.every((manifest, at) => {
    const { status, health } = reports[at]!;
    return health !== "Unhealthy" && isUpToDate(manifest, status as Fields | undefined);
  });
  return isWell ? undefined : "health";
}

/** Whether a report is about the manifest as it is now, as far as the kind's reports tell. */
function isUpToDate({ metadata, spec }: Fields, status: Fields | undefined): boolean {
  const generation = metadata?.annotations?.[templateGenerationAnnotation];
  const reported = status?.["resourceTemplateGeneration"];
  if (generation !== undefined && reported !== undefined && String(reported) !== generation) return false;
  const replicas = spec?.replicas;
  return (
    replicas === undefined || status?.["replicas"] === undefined || Number(status["replicas"]) === Number(replicas)
  );
}
