import type { Fields } from "#api/meta/object-meta.ts";
import type { PodFault } from "../faults.ts";
import { controllerOf, isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import type { Pace } from "../simulator-options.ts";

/**
 * Where a pod is in its life:
 *
 *   creating ──▶ running ──▶ ended
 *      │            ▲ │
 *      ▼            │ ▼
 *   pulling ───────▶┴ crashed
 */
export type PodStage =
  | { readonly at: "creating" }
  | { readonly at: "pulling"; readonly reason: "ErrImagePull" | "ImagePullBackOff" }
  | { readonly at: "running"; readonly ready: boolean }
  | {
      readonly at: "crashed";
      readonly restarts: number;
      readonly backOffSeconds: number;
      readonly podName: string;
      /** It has just crashed once more. */
      readonly again: boolean;
    }
  | { readonly at: "ended"; readonly exitCode: number };

/** A stage, and how long it lasts unless something happens: undefined is for ever. */
export interface StageNow {
  readonly stage: PodStage;
  readonly remainingMs?: number;
}

export interface StageFacts {
  readonly pod: SimulatedObject;
  readonly fault: PodFault | undefined;
  readonly pace: Pace;
  /** Since stageMark last changed. */
  readonly elapsedMs: number;
  readonly nowMs: number;
}

const pullBackOffMs = 2_000;
const firstCrashBackOffMs = 10_000;
const maxCrashBackOffMs = 300_000;

/** Changes whenever the pod enters a state whose length is counted. */
export function stageMark(pod: SimulatedObject): string {
  if (isBeingDeleted(pod)) return `${pod.metadata.uid}/stop`;
  const reason = waitingReason(pod);
  if (reason === "ErrImagePull") return `${pod.metadata.uid}/pull`;
  return `${pod.metadata.uid}/${hasStarted(pod) ? "run" : "start"}`;
}

/** Where a pod should be now. */
export function stageOf(facts: StageFacts): StageNow {
  const { pod, fault, pace, elapsedMs } = facts;
  if (!hasStarted(pod)) {
    const startMs = pace.startMs + (fault?.kind === "slow-start" ? fault.delayMs : 0);
    const tried = waitingReason(pod) === "ErrImagePull" || waitingReason(pod) === "ImagePullBackOff";
    if (!tried && elapsedMs < startMs) return { stage: { at: "creating" }, remainingMs: startMs - elapsedMs };
    if (fault?.kind === "image-pull-error") return pullStage(pod, elapsedMs);
  }
  if (fault?.kind === "crash-loop") return crashStage(facts);
  if (isOfJob(pod)) return jobStage(facts);
  if (fault?.kind === "fail") return failStage(facts);
  return { stage: { at: "running", ready: fault?.kind !== "never-ready" } };
}

function pullStage(pod: SimulatedObject, elapsedMs: number): StageNow {
  const backOff: StageNow = { stage: { at: "pulling", reason: "ImagePullBackOff" } };
  switch (waitingReason(pod)) {
    case "ImagePullBackOff":
      return backOff;
    case "ErrImagePull":
      if (elapsedMs >= pullBackOffMs) return backOff;
      return { stage: { at: "pulling", reason: "ErrImagePull" }, remainingMs: pullBackOffMs - elapsedMs };
    default:
      return { stage: { at: "pulling", reason: "ErrImagePull" }, remainingMs: pullBackOffMs };
  }
}

/** The pods of a Job run for a while and end. */
function jobStage(facts: StageFacts): StageNow {
  const { pod, fault, pace, elapsedMs } = facts;
  if (fault?.kind === "never-ready") return { stage: { at: "running", ready: false } };
  const ran = hasStarted(pod) ? elapsedMs : 0;
  if (ran < pace.jobMs) return { stage: { at: "running", ready: true }, remainingMs: pace.jobMs - ran };
  return fault?.kind === "fail" ? failStage(facts) : { stage: { at: "ended", exitCode: 0 } };
}

function failStage(facts: StageFacts): StageNow {
  return facts.pod.spec["restartPolicy"] === "Never" ? { stage: { at: "ended", exitCode: 1 } } : crashStage(facts);
}

/** Each restart comes later than the one before; when, the last crash tells. */
function crashStage({ pod, nowMs }: StageFacts): StageNow {
  const first: Fields = pod.status?.["containerStatuses"]?.[0] ?? {};
  const restarts: number = first["restartCount"] ?? 0;
  const crashedAt = Date.parse(first["lastState"]?.terminated?.finishedAt ?? "");
  const waits = first["state"]?.waiting?.reason === "CrashLoopBackOff" && !Number.isNaN(crashedAt);
  const dueMs = waits ? crashedAt + backOffMs(restarts) : nowMs;
  const again = nowMs >= dueMs;
  const count = again ? restarts + 1 : restarts;
  return {
    stage: {
      at: "crashed",
      restarts: count,
      backOffSeconds: backOffMs(count) / 1_000,
      podName: `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`,
      again,
    },
    remainingMs: again ? backOffMs(count) : dueMs - nowMs,
  };
}

function backOffMs(restarts: number): number {
  return Math.min(firstCrashBackOffMs * 2 ** Math.max(restarts - 1, 0), maxCrashBackOffMs);
}

export function isOfJob(pod: SimulatedObject): boolean {
  return controllerOf(pod)?.kind === "Job";
}

/** Whether its containers have run; a start is not repeated because the simulator was. */
function hasStarted({ status }: SimulatedObject): boolean {
  return status?.["phase"] === "Running";
}

function waitingReason({ status }: SimulatedObject): string | undefined {
  const containers: readonly Fields[] = status?.["containerStatuses"] ?? [];
  return containers.map(({ state }) => state?.waiting?.reason).find((reason) => reason !== undefined);
}
