import type { Fields } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import { parseCronSchedule } from "#base/cron-schedule.ts";
import type { Plan } from "#base/plan.ts";
import { memberResources } from "../member-resources.ts";
import { controlledBy, isBeingDeleted, oldestFirst, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps } from "../step.ts";
import { finishedAt, isComplete } from "./job-status.ts";
import { nextTime } from "./schedule-times.ts";

export interface CronJobFacts {
  readonly cronJob: SimulatedObject;
  readonly jobs: readonly SimulatedObject[];
  readonly nowMs: number;
}

const { cronJobs: resource, jobs: jobResource } = memberResources;
/** More missed times than this are not counted one by one: the newest is what matters. */
const maxMissed = 1_000;

/** Starts a Job whenever the schedule comes, and clears away old ones. */
export function decideCronJob({ cronJob, jobs, nowMs }: CronJobFacts): Plan<Step> {
  if (isBeingDeleted(cronJob)) return { steps: [] };
  const running = jobs.filter((job) => finishedAt(job) === undefined && !isBeingDeleted(job)).toSorted(oldestFirst);
  const surplus = [
    ...surplusJobs(jobs, { well: true, limit: cronJob.spec["successfulJobsHistoryLimit"] ?? 3 }),
    ...surplusJobs(jobs, { well: false, limit: cronJob.spec["failedJobsHistoryLimit"] ?? 1 }),
  ];
  const due = cronJob.spec["suspend"] === true ? {} : dueTimes(cronJob, nowMs);
  const { started, steps } = startSteps({ cronJob, jobs, nowMs }, { running, dueMs: due.dueMs });
  const status = cronJobStatus({ cronJob, jobs, nowMs }, { running, started });
  const all = [...surplus, ...steps, ...statusSteps(resource, cronJob, status)];
  if (due.nextMs === undefined) return { steps: all };
  return { steps: all, waitFor: { reason: "schedule", retryAfterMs: due.nextMs - nowMs } };
}

interface Due {
  /** The newest scheduled time that has come and not been acted on. */
  readonly dueMs?: number;
  readonly nextMs?: number;
}

function dueTimes({ spec, status, metadata }: SimulatedObject, nowMs: number): Due {
  const parsed = parseCronSchedule(spec["schedule"]);
  if (!parsed.ok) return {};
  const next = (afterMs: number) => nextTime(parsed.schedule, { afterMs, timeZone: spec["timeZone"] });
  const deadline: number | undefined = spec["startingDeadlineSeconds"];
  const last = Date.parse(status?.["lastScheduleTime"] ?? metadata.creationTimestamp);
  let after = deadline === undefined ? last : Math.max(last, nowMs - deadline * 1_000 - 1);
  let dueMs: number | undefined;
  for (let missed = 0; ; missed++) {
    if (missed === maxMissed) after = nowMs - 60_000;
    const time = next(after);
    if (time === undefined) return dueMs === undefined ? {} : { dueMs };
    if (time > nowMs) return dueMs === undefined ? { nextMs: time } : { dueMs, nextMs: time };
    dueMs = time;
    after = time;
  }
}

interface Start {
  /** The scheduled time that was acted on. */
  readonly started?: number;
  readonly steps: readonly Step[];
}

function startSteps(
  { cronJob, jobs }: CronJobFacts,
  { running, dueMs }: { readonly running: readonly SimulatedObject[]; readonly dueMs: number | undefined },
): Start {
  if (dueMs === undefined) return { steps: [] };
  const object = newJob(cronJob, dueMs);
  if (jobs.some(({ metadata }) => metadata.name === object.metadata.name)) return { started: dueMs, steps: [] };
  const policy = cronJob.spec["concurrencyPolicy"] ?? "Allow";
  if (policy === "Forbid" && running.length > 0) return { steps: [] };
  const replaced = policy === "Replace" ? running.map((job) => removal(job, "a newer one replaces it")) : [];
  return { started: dueMs, steps: [...replaced, { do: "create", resource: jobResource, object }] };
}

function newJob(cronJob: SimulatedObject, dueMs: number) {
  const template: Fields = cronJob.spec["jobTemplate"];
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `${cronJob.metadata.name}-${Math.floor(dueMs / 60_000)}`,
      namespace: cronJob.metadata.namespace ?? "",
      labels: template["metadata"]?.labels ?? {},
      annotations: {
        ...template["metadata"]?.annotations,
        "batch.kubernetes.io/cronjob-scheduled-timestamp": formatTime(dueMs),
      },
      ownerReferences: [controlledBy(resource, cronJob)],
    },
    spec: template["spec"],
  };
}

function cronJobStatus(
  { cronJob, jobs }: CronJobFacts,
  { running, started }: { readonly running: readonly SimulatedObject[]; readonly started: number | undefined },
): Fields {
  const active = running.map(({ metadata }) => ({
    apiVersion: "batch/v1",
    kind: "Job",
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
  }));
  const ends = jobs.filter(isComplete).map(({ status }) => status?.["completionTime"] as string); // set with Complete
  const known: string | undefined = cronJob.status?.["lastSuccessfulTime"];
  const lastSuccessful = [...ends, ...(known === undefined ? [] : [known])].toSorted().at(-1);
  const lastSchedule = started === undefined ? cronJob.status?.["lastScheduleTime"] : formatTime(started);
  return {
    ...(active.length === 0 ? {} : { active }),
    ...(lastSchedule === undefined ? {} : { lastScheduleTime: lastSchedule }),
    ...(lastSuccessful === undefined ? {} : { lastSuccessfulTime: lastSuccessful }),
  };
}

function surplusJobs(
  jobs: readonly SimulatedObject[],
  { well, limit }: { readonly well: boolean; readonly limit: number },
): readonly Step[] {
  const ended = jobs.filter((job) => finishedAt(job) !== undefined && isComplete(job) === well && !isBeingDeleted(job));
  return ended
    .toSorted(oldestFirst)
    .slice(0, Math.max(ended.length - limit, 0))
    .map((job) => removal(job, "beyond the history limit"));
}

function removal(object: SimulatedObject, because: string): Step {
  return { do: "delete", resource: jobResource, object, because };
}
