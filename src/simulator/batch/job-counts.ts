import type { Fields } from "#api/meta/object-meta.ts";
import { isPodEnded, isPodReady } from "../pods/pod-counts.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";

/** How a Job's pods have fared. */
export interface JobCounts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of an indexed Job: the indexes that are done. */
  readonly completedIndexes: readonly number[];
}

export const indexAnnotation = "batch.kubernetes.io/job-completion-index";

/** Pods that have ended count even when somebody has deleted them since: the status remembers. */
export function countJob(job: SimulatedObject, pods: readonly SimulatedObject[]): JobCounts {
  const active = pods.filter((pod) => !isPodEnded(pod) && !isBeingDeleted(pod));
  const ended = (phase: string) => pods.filter(({ status }) => status?.["phase"] === phase);
  const before: Fields = job.status ?? {};
  const done = new Set(parseIndexes(before["completedIndexes"] ?? ""));
  for (const pod of ended("Succeeded")) done.add(indexOf(pod) ?? -1);
  done.delete(-1);
  const indexed = job.spec["completionMode"] === "Indexed";
  const succeeded = indexed ? done.size : Math.max(ended("Succeeded").length, before["succeeded"] ?? 0);
  return {
    active: active.length,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter((pod) => isBeingDeleted(pod) && !isPodEnded(pod)).length,
    succeeded,
    failed: Math.max(ended("Failed").length, before["failed"] ?? 0),
    completedIndexes: indexed ? [...done].toSorted((a, b) => a - b) : [],
  };
}

/** The index of a pod of an indexed Job. */
export function indexOf({ metadata }: SimulatedObject): number | undefined {
  const text = metadata.annotations?.[indexAnnotation];
  return text === undefined ? undefined : Number(text);
}

/** `0-2,5`. */
export function printIndexes(indexes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const index of indexes) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from},${to}` : `${from}-${to}`))
    .join(",");
}

function parseIndexes(text: string): readonly number[] {
  return text
    .split(",")
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [from = 0, to = from] = part.split("-").map(Number);
      return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
    });
}
