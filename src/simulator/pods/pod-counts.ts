import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { findCondition, isTrue } from "../conditions.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";

/** How many of a workload's pods there are and how well they are. */
export interface PodCounts {
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  /** When the next ready pod will have been so for long enough; undefined when none waits for that. */
  readonly nextAvailableMs?: number;
}

export interface CountOptions {
  /** How long a pod must have been ready to count as available. */
  readonly minReadySeconds: number | undefined;
  readonly nowMs: number;
}

export function countPods(pods: readonly SimulatedObject[], { minReadySeconds = 0, nowMs }: CountOptions): PodCounts {
  const readySince = pods
    .filter(isPodReady)
    .map((pod) => Date.parse(findCondition(pod, "Ready")?.["lastTransitionTime"]));
  const due = readySince.map((ms) => ms + minReadySeconds * 1_000);
  const available = minReadySeconds === 0 ? due : due.filter((ms) => ms <= nowMs);
  const later = minReadySeconds === 0 ? [] : due.filter((ms) => ms > nowMs);
  const counts = { replicas: pods.length, ready: readySince.length, available: available.length };
  return later.length === 0 ? counts : { ...counts, nextAvailableMs: Math.min(...later) };
}

/** The wait for the next pod to become available, if one is about to. */
export function untilAvailable({ nextAvailableMs }: PodCounts, nowMs: number): Pick<Plan<never>, "waitFor"> {
  if (nextAvailableMs === undefined) return {};
  return { waitFor: { reason: "pods become available", retryAfterMs: nextAvailableMs - nowMs } };
}

export function isPodReady(pod: SimulatedObject): boolean {
  return isTrue(pod, "Ready");
}

/** Neither ended nor on its way out. */
export function isPodActive(pod: SimulatedObject): boolean {
  return !isPodEnded(pod) && !isBeingDeleted(pod);
}

export function isPodEnded({ status }: { readonly status?: Fields }): boolean {
  return status?.["phase"] === "Succeeded" || status?.["phase"] === "Failed";
}

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** The pods that are missed least come first: not placed, not running, not ready, on a crowded node, ready for the shortest time. */
export function leastMissedFirst(pods: readonly SimulatedObject[]): readonly SimulatedObject[] {
  const crowd = new Map<string, number>();
  for (const { spec } of pods) crowd.set(spec["nodeName"] ?? "", (crowd.get(spec["nodeName"] ?? "") ?? 0) + 1);
  const rank = (pod: SimulatedObject): readonly number[] => [
    pod.spec["nodeName"] ? 1 : 0,
    phaseRank[pod.status?.["phase"] ?? ""] ?? 0,
    isPodReady(pod) ? 1 : 0,
    -(crowd.get(pod.spec["nodeName"] ?? "") ?? 0),
    -Date.parse(findCondition(pod, "Ready")?.["lastTransitionTime"] ?? pod.metadata.creationTimestamp),
    -Date.parse(pod.metadata.creationTimestamp),
  ];
  return pods
    .map((pod) => ({ pod, rank: rank(pod) }))
    .toSorted((a, b) => compareRanks(a.rank, b.rank) || (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1))
    .map(({ pod }) => pod);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
