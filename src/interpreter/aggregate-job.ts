import { compareBytes } from "#base/byte-order.ts";
import type { JsonObject } from "#base/json.ts";
import { type AggregateStatus, collected, kept } from "./aggregate-status.ts";
import { countAt, objectAt, objectsAt, textAt } from "./fields.ts";
import { printCounters } from "./status-fields.ts";

/** A job is complete when it is in all clusters, and failed when it is in one; then it changes no more. */
export const aggregateJob: AggregateStatus = (object, { items, now }) => {
  const old = objectAt(object, "status");
  if (finishedAs(old) !== undefined) return kept(object);
  const statuses = collected(items);
  const all = statuses.map(({ status }) => status);
  const counters = Object.fromEntries(
    ["active", "succeeded", "failed"].map((name) => [
      name,
      all.reduce((sum, status) => sum + countAt(status, name), 0),
    ]),
  );
  const failed = statuses.filter(({ status }) => finishedAs(status) === "Failed").map(({ cluster }) => cluster);
  const conditions = [
    ...failedConditions(failed, { statuses: all, now }),
    ...completeConditions(all, { clusters: items.length, now }),
  ];
  const times = {
    startTime: startTime(old, { statuses: all, clusters: items.length }),
    ...completionTime(all, items.length),
  };
  const status = {
    ...printCounters(counters, []),
    ...(conditions.length > 0 && { conditions }),
    ...Object.fromEntries(Object.entries(times).filter(([, time]) => time !== "")),
  };
  return Object.keys(status).length === 0 && kept(object) === undefined ? undefined : status;
};

function finishedAs(status: JsonObject): string | undefined {
  return trueConditions(status).find((type) => type === "Complete" || type === "Failed");
}

function trueConditions(status: JsonObject): readonly string[] {
  return objectsAt(status, "conditions")
    .filter((condition) => textAt(condition, "status") === "True")
    .map((condition) => textAt(condition, "type"));
}

interface JobFacts {
  readonly statuses: readonly JsonObject[];
  readonly now: string;
}

/** Kubernetes takes Failed only after FailureTarget, so that goes first where a cluster reported it. */
function failedConditions(clusters: readonly string[], { statuses, now }: JobFacts): readonly JsonObject[] {
  if (clusters.length === 0) return [];
  const message = `Job executed failed in member clusters ${clusters.join(",")}`;
  const announced = statuses.some((status) => trueConditions(status).includes("FailureTarget"));
  const types = announced ? ["FailureTarget", "Failed"] : ["Failed"];
  return types.map((type) => trueNow({ type, reason: "JobFailed", message, now }));
}

function completeConditions(
  statuses: readonly JsonObject[],
  { clusters, now }: { readonly clusters: number; readonly now: string },
): readonly JsonObject[] {
  const complete = statuses.filter((status) => finishedAs(status) === "Complete");
  if (complete.length === 0 || complete.length < clusters) return [];
  const met = statuses.filter((status) => trueConditions(status).includes("SuccessCriteriaMet"));
  const message = "All member clusters have met success criteria";
  return [
    trueNow({ type: "Complete", reason: "Completed", message: "Job completed", now }),
    ...(met.length === clusters
      ? [trueNow({ type: "SuccessCriteriaMet", reason: "CompletionsReached", message, now })]
      : []),
  ];
}

interface ConditionWords {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly now: string;
}

function trueNow({ type, reason, message, now }: ConditionWords): JsonObject {
  return { type, status: "True", lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/** The first start once all have started; it never moves afterwards. */
function startTime(
  old: JsonObject,
  { statuses, clusters }: { readonly statuses: readonly JsonObject[]; readonly clusters: number },
): string {
  const known = textAt(old, "startTime");
  if (known !== "") return known;
  const times = timesOf(statuses, "startTime");
  return times.length < clusters ? "" : (times[0] ?? "");
}

function completionTime(statuses: readonly JsonObject[], clusters: number): { readonly completionTime: string } {
  const times = timesOf(statuses, "completionTime");
  return { completionTime: times.length < clusters ? "" : (times.at(-1) ?? "") };
}

function timesOf(statuses: readonly JsonObject[], field: string): readonly string[] {
  return statuses
    .map((status) => textAt(status, field))
    .filter((time) => time !== "")
    .toSorted(compareBytes);
}
