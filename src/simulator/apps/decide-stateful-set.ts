import { labelRequirementsOf } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { decideClaims } from "../claim.ts";
import { memberResources } from "../member-resources.ts";
import { countPods, isPodEnded, isPodReady, untilAvailable } from "../pods/pod-counts.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps, together } from "../step.ts";
import { decideHistory, type History, recordedTemplate, revisionHashLabel, trimHistory } from "./revision-history.ts";
import { ordinalOf, statefulPodCreation } from "./stateful-pod.ts";
import { statefulSetStatus } from "./stateful-set-status.ts";

export interface StatefulSetFacts {
  readonly set: SimulatedObject;
  readonly pods: readonly SimulatedObject[];
  readonly orphans: readonly SimulatedObject[];
  readonly revisions: readonly SimulatedObject[];
  readonly hasClaim: (name: string) => boolean;
  readonly nowMs: number;
}

const { statefulSets: resource, pods: podResource } = memberResources;

/** Pods with names of their own, brought up and taken down in order, one after the other unless told otherwise. */
export function decideStatefulSet(facts: StatefulSetFacts): Plan<Step> {
  const { set, revisions, nowMs } = facts;
  const claims = decideClaims({
    ownerResource: resource,
    owner: set,
    selector: labelRequirementsOf(set.spec["selector"] ?? {}),
    resource: podResource,
    owned: facts.pods,
    orphans: facts.orphans.filter((pod) => ordinalOf(set, pod) !== undefined),
  });
  if (claims.steps.length > 0) return { steps: together(claims.steps) };
  const history = decideHistory({ resource, owner: set, revisions });
  if (history.steps.length > 0 && !isBeingDeleted(set)) return { steps: history.steps };
  const pods = claims.claimed;
  const acting = isBeingDeleted(set) ? [] : decideStatefulPods({ ...facts, pods }, history);
  if (acting.length > 0) return { steps: acting };
  const live = pods.filter((pod) => !isBeingDeleted(pod) && !isPodEnded(pod));
  const counts = countPods(live, { minReadySeconds: set.spec["minReadySeconds"], nowMs });
  const status = statefulSetStatus({
    set,
    counts,
    updateRevision: history.name,
    ofRevision: (name) => live.filter((pod) => `${set.metadata.name}-${revisionOf(pod)}` === name).length,
  });
  const trimmed = trimHistory({ resource, owner: set, revisions }, new Set([...pods.map(revisionOf), history.hash]));
  const steps = [...statusSteps(resource, set, status), ...trimmed];
  return { steps, ...untilAvailable(counts, nowMs) };
}

interface Slot {
  readonly ordinal: number;
  readonly pod: SimulatedObject | undefined;
}

/** The next move; none while something has to become ready or to go first. */
function decideStatefulPods(facts: StatefulSetFacts, history: History): readonly Step[] {
  const { set, pods } = facts;
  const start: number = set.spec["ordinals"]?.start ?? 0;
  const end = start + (set.spec["replicas"] ?? 1);
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod) ?? -1, pod]));
  const slots: readonly Slot[] = Array.from({ length: end - start }, (_, index) => ({
    ordinal: start + index,
    pod: byOrdinal.get(start + index),
  }));
  const surplus = [...byOrdinal]
    .filter(([ordinal]) => ordinal < start || ordinal >= end)
    .toSorted(([a], [b]) => b - a)
    .map(([, pod]) => pod);
  const parallel = set.spec["podManagementPolicy"] === "Parallel";
  const filling = fill(facts, { slots, history, parallel });
  if (filling.steps.length > 0 || filling.waits) return filling.steps;
  const emptying = surplus.filter((pod) => !isBeingDeleted(pod)).map((pod) => removal(pod, "beyond the replicas"));
  if (surplus.length > 0)
    return together(parallel ? emptying : surplus.some(isBeingDeleted) ? [] : emptying.slice(0, 1));
  return roll(set, slots, history);
}

interface Filling {
  readonly steps: readonly Step[];
  /** A pod of lower number is not ready: the others wait. */
  readonly waits: boolean;
}

function fill(
  facts: StatefulSetFacts,
  {
    slots,
    history,
    parallel,
  }: { readonly slots: readonly Slot[]; readonly history: History; readonly parallel: boolean },
): Filling {
  const steps: Step[] = [];
  for (const { ordinal, pod } of slots) {
    if (pod === undefined) steps.push(...creation(facts, ordinal, history));
    else if (isPodEnded(pod) && !isBeingDeleted(pod)) steps.push(removal(pod, "it has ended"));
    const settled = pod !== undefined && isPodReady(pod) && !isBeingDeleted(pod) && !isPodEnded(pod);
    if (!settled && !parallel) return { steps, waits: true };
  }
  return { steps, waits: false };
}

function creation(facts: StatefulSetFacts, ordinal: number, history: History): readonly Step[] {
  const { set, revisions, hasClaim } = facts;
  const { template, revision } = templateFor(set, { ordinal, history, revisions });
  return statefulPodCreation({ set, ordinal, template, revision, hasClaim });
}

/** Below the partition pods keep the template they had. */
function templateFor(
  set: SimulatedObject,
  { ordinal, history, revisions }: { ordinal: number; history: History; revisions: readonly SimulatedObject[] },
): { readonly template: Fields; readonly revision: string } {
  const present = { template: set.spec["template"] as Fields, revision: history.hash }; // every set has one
  if (ordinal >= partitionOf(set)) return present;
  const before = revisions.find(({ metadata }) => metadata.name === set.status?.["currentRevision"]);
  if (before === undefined) return present;
  const revision = before.metadata.labels?.[revisionHashLabel] ?? history.hash;
  return { template: recordedTemplate(before), revision };
}

/** From the highest number down: the next old pod goes when all pods above it are new and ready. */
function roll(set: SimulatedObject, slots: readonly Slot[], history: History): readonly Step[] {
  if (set.spec["updateStrategy"]?.type !== "RollingUpdate") return [];
  for (const { ordinal, pod } of slots.toReversed()) {
    if (pod === undefined || ordinal < partitionOf(set)) return [];
    if (isBeingDeleted(pod)) return [];
    if (revisionOf(pod) !== history.hash) return [removal(pod, "its template is old")];
    if (!isPodReady(pod)) return [];
  }
  return [];
}

function partitionOf({ spec }: SimulatedObject): number {
  return spec["updateStrategy"]?.rollingUpdate?.partition ?? 0;
}

function revisionOf({ metadata }: SimulatedObject): string {
  return metadata.labels?.[revisionHashLabel] ?? "";
}

function removal(object: SimulatedObject, because: string): Step {
  return { do: "delete", resource: podResource, object, because };
}
