import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { memberResources } from "../member-resources.ts";
import { podCreation } from "../pods/new-pod.ts";
import { isPodEnded, leastMissedFirst } from "../pods/pod-counts.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps, together } from "../step.ts";
import { countJob, indexAnnotation, indexOf, type JobCounts } from "./job-counts.ts";
import { finishedAt, type JobEnd, jobStatus } from "./job-status.ts";

export interface JobFacts {
  readonly job: SimulatedObject;
  readonly pods: readonly SimulatedObject[];
  readonly nowMs: number;
}

const { jobs: resource, pods: podResource } = memberResources;
const firstRetryMs = 10_000;
const maxRetryMs = 600_000;

/** Runs pods until enough of them have succeeded, or too many have failed. */
export function decideJob(facts: JobFacts): Plan<Step> {
  const { job, pods, nowMs } = facts;
  if (job.spec["managedBy"] && job.spec["managedBy"] !== "kubernetes.io/job-controller") return { steps: [] };
  const finished = finishedAt(job);
  if (finished !== undefined) return decideExpiry(job, { finished, nowMs });
  const counts = countJob(job, pods);
  const end = decideEnd(facts, counts);
  const active = pods.filter((pod) => !isPodEnded(pod) && !isBeingDeleted(pod));
  if (isBeingDeleted(job)) return { steps: [] };
  if (end !== undefined || job.spec["suspend"] === true) {
    if (active.length > 0) return { steps: together(active.map((pod) => removal(pod, "the job no longer runs"))) };
    return { steps: statusSteps(resource, job, jobStatus({ job, counts, end, nowMs })) };
  }
  const { moves, retryAtMs } = decideJobPods(facts, { counts, active });
  if (moves.length > 0) return { steps: together(moves) };
  const steps = statusSteps(resource, job, jobStatus({ job, counts, end, nowMs }));
  const wakeMs = Math.min(retryAtMs ?? Number.POSITIVE_INFINITY, deadlineOf(job) ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(wakeMs)) return { steps };
  return { steps, waitFor: { reason: "retry or deadline", retryAfterMs: Math.max(wakeMs - nowMs, 0) } };
}

/** A finished Job goes when its time to live is over. */
export function decideExpiry(
  job: SimulatedObject,
  { finished, nowMs }: { readonly finished: number; readonly nowMs: number },
): Plan<Step> {
  const ttl: number | undefined = job.spec["ttlSecondsAfterFinished"];
  if (ttl === undefined || isBeingDeleted(job)) return { steps: [] };
  const dueMs = finished + ttl * 1_000;
  if (nowMs >= dueMs) return { steps: [{ do: "delete", resource, object: job, because: "its time to live is over" }] };
  return { steps: [], waitFor: { reason: "time to live", retryAfterMs: dueMs - nowMs } };
}

/** Whether the Job is over, and how. */
function decideEnd({ job, pods, nowMs }: JobFacts, counts: JobCounts): JobEnd | undefined {
  const { spec } = job;
  const limit: number = spec["backoffLimit"] ?? 6;
  const restarts = spec["template"].spec.restartPolicy === "OnFailure" ? restartsOf(pods) : 0;
  if (counts.failed > limit || (restarts > 0 && restarts >= limit)) {
    const message = "Job has reached the specified backoff limit";
    return { as: "failed", reason: "BackoffLimitExceeded", message };
  }
  const deadline = deadlineOf(job);
  if (deadline !== undefined && nowMs >= deadline) {
    return { as: "failed", reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" };
  }
  const enough =
    spec["completions"] == null ? counts.succeeded > 0 && counts.active === 0 : counts.succeeded >= spec["completions"];
  return enough ? { as: "complete" } : undefined;
}

interface Moves {
  readonly moves: readonly Step[];
  /** When a failed pod may be replaced. */
  readonly retryAtMs?: number;
}

function decideJobPods(
  { job, pods, nowMs }: JobFacts,
  { counts, active }: { readonly counts: JobCounts; readonly active: readonly SimulatedObject[] },
): Moves {
  const parallelism: number = job.spec["parallelism"] ?? 1;
  const completions: number | null | undefined = job.spec["completions"];
  const open =
    completions == null ? (counts.succeeded > 0 ? active.length : parallelism) : completions - counts.succeeded;
  const missing = Math.min(parallelism, open) - active.length;
  if (missing < 0) {
    const surplus = leastMissedFirst(active).slice(0, -missing);
    return { moves: surplus.map((pod) => removal(pod, "more than the parallelism")) };
  }
  if (missing === 0) return { moves: [] };
  const retryAtMs = retryTime(pods);
  if (retryAtMs !== undefined && retryAtMs > nowMs) return { moves: [], retryAtMs };
  const indexes = job.spec["completionMode"] === "Indexed" ? freeIndexes(job, counts, active) : undefined;
  return { moves: Array.from({ length: missing }, (_, place) => creation(job, indexes?.[place])) };
}

function freeIndexes(job: SimulatedObject, counts: JobCounts, active: readonly SimulatedObject[]): readonly number[] {
  const taken = new Set([...counts.completedIndexes, ...active.map((pod) => indexOf(pod) ?? -1)]);
  return Array.from({ length: job.spec["completions"] ?? 0 }, (_, index) => index).filter((index) => !taken.has(index));
}

function creation(job: SimulatedObject, index: number | undefined): Step {
  if (index === undefined) return podCreation({ ownerResource: resource, owner: job });
  const env = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } },
  };
  const template: Fields = job.spec["template"];
  const containers = template["spec"].containers.map((container: Fields) => ({
    ...container,
    env: [...(container["env"] ?? []), env],
  }));
  const label = { [indexAnnotation]: String(index) };
  const step = podCreation({
    ownerResource: resource,
    owner: { ...job, metadata: { ...job.metadata, name: `${job.metadata.name}-${index}` } },
    labels: label,
    annotations: label,
    spec: { hostname: `${job.metadata.name}-${index}`, containers },
  });
  return renamed(step, job);
}

/** The generated name tells the index, the owner is still the Job. */
function renamed(step: Step, job: SimulatedObject): Step {
  if (step.do !== "create") return step;
  const ownerReferences = (step.object.metadata.ownerReferences ?? []).map((owner) => ({
    ...owner,
    name: job.metadata.name,
  }));
  return { ...step, object: { ...step.object, metadata: { ...step.object.metadata, ownerReferences } } };
}

/** The more pods have failed, the longer the next one waits. */
function retryTime(pods: readonly SimulatedObject[]): number | undefined {
  const ends = pods
    .filter(({ status }) => status?.["phase"] === "Failed")
    .map((pod) => Date.parse(pod.status?.["containerStatuses"]?.[0]?.state?.terminated?.finishedAt ?? ""))
    .filter((ms) => !Number.isNaN(ms));
  if (ends.length === 0) return undefined;
  return Math.max(...ends) + Math.min(firstRetryMs * 2 ** (ends.length - 1), maxRetryMs);
}

function restartsOf(pods: readonly SimulatedObject[]): number {
  return pods.reduce((total, { status }) => total + (status?.["containerStatuses"]?.[0]?.restartCount ?? 0), 0);
}

function deadlineOf({ spec, status }: SimulatedObject): number | undefined {
  const seconds: number | undefined = spec["activeDeadlineSeconds"];
  const started = status?.["startTime"];
  return seconds === undefined || started === undefined ? undefined : Date.parse(started) + seconds * 1_000;
}

function removal(object: SimulatedObject, because: string): Step {
  return { do: "delete", resource: podResource, object, because };
}
