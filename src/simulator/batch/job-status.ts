import type { Fields } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import { type ConditionWords, isTrue, withCondition } from "../conditions.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { type JobCounts, printIndexes } from "./job-counts.ts";

/** How a Job ended. */
export type JobEnd =
  | { readonly as: "complete" }
  | { readonly as: "failed"; readonly reason: string; readonly message: string };

export interface JobStatusFacts {
  readonly job: SimulatedObject;
  readonly counts: JobCounts;
  readonly end: JobEnd | undefined;
  readonly nowMs: number;
}

/** The status of a Job whose pods fared so, in real and in counted mode alike. */
export function jobStatus({ job, counts, end, nowMs }: JobStatusFacts): Fields {
  const before: Fields = job.status ?? {};
  const suspended = job.spec["suspend"] === true && end === undefined;
  const conditions = wordsFor(job, end).reduce(
    (list, words) => withCondition(list, words, { nowMs, more: { lastProbeTime: formatTime(nowMs) } }),
    (before["conditions"] ?? []) as readonly Fields[], // what this function wrote
  );
  const startTime = suspended ? undefined : (before["startTime"] ?? formatTime(nowMs));
  return {
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(end?.as === "complete" ? { completionTime: before["completionTime"] ?? formatTime(nowMs) } : {}),
    ...(counts.active > 0 ? { active: counts.active } : {}),
    ...(counts.succeeded > 0 ? { succeeded: counts.succeeded } : {}),
    ...(counts.failed > 0 ? { failed: counts.failed } : {}),
    terminating: counts.terminating,
    ...(counts.completedIndexes.length > 0 ? { completedIndexes: printIndexes(counts.completedIndexes) } : {}),
    uncountedTerminatedPods: {},
    ready: counts.ready,
  };
}

/** When a Job ended; undefined while it runs. */
export function finishedAt(job: SimulatedObject): number | undefined {
  const conditions: readonly Fields[] = job.status?.["conditions"] ?? [];
  const end = conditions.find(({ type, status }) => (type === "Complete" || type === "Failed") && status === "True");
  return end === undefined ? undefined : Date.parse(end["lastTransitionTime"]);
}

/** Whether a Job ended well; false while it runs, too. */
export function isComplete(job: SimulatedObject): boolean {
  return isTrue(job, "Complete");
}

function wordsFor(job: SimulatedObject, end: JobEnd | undefined): readonly ConditionWords[] {
  if (end?.as === "complete") {
    const words = {
      status: "True",
      reason: "CompletionsReached",
      message: "Reached expected number of succeeded pods",
    } as const;
    return [
      { type: "SuccessCriteriaMet", ...words },
      { type: "Complete", ...words },
    ];
  }
  if (end?.as === "failed") {
    const words = { status: "True", reason: end.reason, message: end.message } as const;
    return [
      { type: "FailureTarget", ...words },
      { type: "Failed", ...words },
    ];
  }
  if (job.spec["suspend"] === true) {
    return [{ type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }];
  }
  if (!isTrue(job, "Suspended")) return [];
  return [{ type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" }];
}
