import type { Fields } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import { withCondition } from "../conditions.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { rolloutLimits } from "./rollout-limits.ts";

/** The pods of a Deployment, however they were counted. */
export interface DeploymentCounts {
  readonly replicas: number;
  /** Of the newest template. */
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

export interface DeploymentStatusFacts {
  readonly deployment: SimulatedObject;
  readonly counts: DeploymentCounts;
  /** The ReplicaSet of the newest template; undefined while there is none. */
  readonly replicaSet: string | undefined;
  readonly nowMs: number;
}

/** No deadline: int32's largest value means that there is none. */
const noDeadline = 2 ** 31 - 1;

/**
 * The status of a Deployment with these pods, in real and in counted mode alike.
 *
 * Upstream: k8s.io/kubernetes pkg/controller/deployment progress.go syncRolloutStatus, sync.go calculateStatus.
 */
export function deploymentStatus(facts: DeploymentStatusFacts): Fields {
  const { deployment, counts } = facts;
  const unavailable = Math.max(counts.replicas - counts.available, 0);
  const collisions = deployment.status?.["collisionCount"];
  return {
    observedGeneration: deployment.metadata.generation ?? 1,
    ...(counts.replicas > 0 && { replicas: counts.replicas }),
    ...(counts.updated > 0 && { updatedReplicas: counts.updated }),
    ...(counts.ready > 0 && { readyReplicas: counts.ready }),
    ...(counts.available > 0 && { availableReplicas: counts.available }),
    ...(unavailable > 0 && { unavailableReplicas: unavailable }),
    conditions: progress(facts, availability(facts)),
    ...(collisions === undefined ? {} : { collisionCount: collisions }),
  };
}

/** Whether everything that was asked for is there, and nothing else. */
export function isComplete({ spec }: SimulatedObject, counts: DeploymentCounts): boolean {
  const wanted = spec["replicas"] ?? 1;
  return counts.updated === wanted && counts.replicas === wanted && counts.available >= wanted;
}

/** When the rollout counts as stuck unless it moves; undefined when it is complete, stuck already, or has no deadline. */
export function deadlineMs({ spec, status }: { readonly spec: Fields; readonly status?: Fields }): number | undefined {
  const progressing = findProgress(status);
  const seconds: number = spec["progressDeadlineSeconds"] ?? noDeadline;
  if (progressing === undefined || seconds === noDeadline || spec["paused"] === true) return undefined;
  if (["NewReplicaSetAvailable", "ProgressDeadlineExceeded"].includes(progressing["reason"])) return undefined;
  return Date.parse(progressing["lastUpdateTime"]) + seconds * 1_000;
}

function availability({ deployment, counts, nowMs }: DeploymentStatusFacts): readonly Fields[] {
  const { unavailable } = rolloutLimits(deployment.spec);
  const enough = counts.available >= (deployment.spec["replicas"] ?? 1) - unavailable;
  const words = enough
    ? ({ status: "True", reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability." } as const)
    : ({
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      } as const);
  const before: readonly Fields[] = deployment.status?.["conditions"] ?? [];
  return withCondition(before, { type: "Available", ...words }, { nowMs, more: { lastUpdateTime: formatTime(nowMs) } });
}

interface Progress {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

function progress(facts: DeploymentStatusFacts, conditions: readonly Fields[]): readonly Fields[] {
  const { deployment, nowMs } = facts;
  const seconds = deployment.spec["progressDeadlineSeconds"] ?? noDeadline;
  if (seconds === noDeadline) return conditions.filter(({ type }) => type !== "Progressing");
  const words = progressWords(facts);
  if (words === undefined) return conditions;
  const known = findProgress({ conditions });
  const now = formatTime(nowMs);
  const since = known?.["status"] === words.status ? known["lastTransitionTime"] : now;
  const same = known?.["reason"] === words.reason && known["message"] === words.message;
  const moved = hasMoved(facts);
  if (same && !(moved && words.reason === "ReplicaSetUpdated")) return conditions;
  const { status, reason, message } = words;
  const next = { type: "Progressing", status, lastUpdateTime: now, lastTransitionTime: since, reason, message };
  return known === undefined ? [...conditions, next] : conditions.map((each) => (each === known ? next : each));
}

/** What the rollout is at; undefined when there is nothing new to say. */
function progressWords(facts: DeploymentStatusFacts): Progress | undefined {
  const { deployment, counts, replicaSet, nowMs } = facts;
  const known = findProgress(deployment.status);
  if (deployment.spec["paused"] === true) {
    if (known?.["reason"] === "DeploymentPaused" || isDone(known, counts)) return undefined;
    return { status: "Unknown", reason: "DeploymentPaused", message: "Deployment is paused" };
  }
  if (known?.["reason"] === "DeploymentPaused") {
    return { status: "Unknown", reason: "DeploymentResumed", message: "Deployment is resumed" };
  }
  if (replicaSet === undefined) return undefined;
  const quoted = `"${replicaSet}"`;
  const begun = known !== undefined && (known["message"].includes(quoted) || known["reason"] === "DeploymentResumed");
  if (begun && isDone(known, counts)) return undefined;
  if (isComplete(deployment, counts)) {
    const message = `ReplicaSet ${quoted} has successfully progressed.`;
    return { status: "True", reason: "NewReplicaSetAvailable", message };
  }
  if (!begun) {
    return counts.updated === 0
      ? { status: "True", reason: "NewReplicaSetCreated", message: `Created new replica set ${quoted}` }
      : { status: "True", reason: "FoundNewReplicaSet", message: `Found new replica set ${quoted}` };
  }
  if (hasMoved(facts)) {
    return { status: "True", reason: "ReplicaSetUpdated", message: `ReplicaSet ${quoted} is progressing.` };
  }
  const due = deadlineMs(deployment);
  if (due === undefined || nowMs < due) return undefined;
  const message = `ReplicaSet ${quoted} has timed out progressing.`;
  return { status: "False", reason: "ProgressDeadlineExceeded", message };
}

/** Once complete it stays so until a new template comes: pods that fail later are no rollout. */
function isDone(known: Fields | undefined, { replicas, updated }: DeploymentCounts): boolean {
  return known?.["reason"] === "NewReplicaSetAvailable" && replicas === updated;
}

function hasMoved({ deployment, counts }: DeploymentStatusFacts): boolean {
  const before: Fields = deployment.status ?? {};
  const [updated = 0, replicas = 0] = [before["updatedReplicas"], before["replicas"]];
  return (
    counts.updated > updated ||
    counts.replicas - counts.updated < replicas - updated ||
    counts.ready > (before["readyReplicas"] ?? 0) ||
    counts.available > (before["availableReplicas"] ?? 0)
  );
}

function findProgress(status: Fields | undefined): Fields | undefined {
  return status?.["conditions"]?.find(({ type }: Fields) => type === "Progressing");
}
