import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { findCondition, withCondition } from "../conditions.ts";
import type { PodFault } from "../faults.ts";
import { memberResources } from "../member-resources.ts";
import { isNodeReady, tolerates } from "../nodes/node-fit.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { type Pace, shownFromMs } from "../simulator-options.ts";
import { type Step, statusSteps } from "../step.ts";
import { isPodEnded } from "./pod-counts.ts";
import { stageOf } from "./pod-stage.ts";
import { podStatus } from "./pod-status.ts";

export interface PodFacts {
  readonly pod: SimulatedObject;
  /** Where it is to run; undefined when there is no such node. */
  readonly node: SimulatedObject | undefined;
  readonly fault: PodFault | undefined;
  readonly pace: Pace;
  readonly elapsedMs: number;
  readonly podAddress: string;
  readonly nowMs: number;
}

/** As long as a pod stays on a node that fails, unless it says otherwise; an admission plug-in of Kubernetes' has it so. */
const defaultTolerationMs = 300_000;

/** What a kubelet does about a pod of its node, and what the control plane does when the node fails or goes. */
export function decidePod(facts: PodFacts): Plan<Step> {
  const { pod, node, pace, nowMs } = facts;
  if (node === undefined) return { steps: [removal(pod, "its node is gone")] };
  if (!isNodeReady(node)) return decideOnFailedNode(pod, node, nowMs);
  if (isBeingDeleted(pod)) return decideEnd(facts);
  if (isPodEnded(pod)) return { steps: [] };
  const { stage, remainingMs } = stageOf(facts);
  const waitFor =
    remainingMs === undefined ? {} : { waitFor: { reason: `pod is ${stage.at}`, retryAfterMs: remainingMs } };
  const total = pace.startMs + (facts.fault?.kind === "slow-start" ? facts.fault.delayMs : 0);
  if (stage.at === "creating" && total < shownFromMs) return { steps: [], ...waitFor };
  const hostAddress: string =
    node.status?.["addresses"]?.find(({ type }: Fields) => type === "InternalIP")?.address ?? "";
  const status = podStatus({ pod, stage, hostAddress, podAddress: facts.podAddress, nowMs });
  return { steps: statusSteps(memberResources.pods, pod, status), ...waitFor };
}

function decideEnd({ pod, pace, elapsedMs }: PodFacts): Plan<Step> {
  const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1_000;
  if (graceMs === 0) return { steps: [] }; // ended; its finalizers hold it
  const stopMs = Math.min(pace.stopMs, graceMs);
  if (elapsedMs >= stopMs) return { steps: [removal(pod, "its containers have stopped")] };
  return { steps: [], waitFor: { reason: "containers are stopping", retryAfterMs: stopMs - elapsedMs } };
}

/** Nobody hears from the pod: it counts as unready, and is evicted when it has not tolerated this for long enough. */
function decideOnFailedNode(pod: SimulatedObject, node: SimulatedObject, nowMs: number): Plan<Step> {
  if (isBeingDeleted(pod) || isPodEnded(pod)) return { steps: [] };
  const evictionMs = evictionTime(pod, node);
  if (evictionMs !== undefined && nowMs >= evictionMs) {
    return { steps: [{ do: "delete", resource: memberResources.pods, object: pod, because: "its node failed" }] };
  }
  const steps = findCondition(pod, "Ready")?.["status"] === "True" ? unreadySteps(pod, nowMs) : [];
  if (evictionMs === undefined) return { steps };
  return { steps, waitFor: { reason: "its node failed", retryAfterMs: evictionMs - nowMs } };
}

function unreadySteps(pod: SimulatedObject, nowMs: number): readonly Step[] {
  const words = { type: "Ready", status: "False" } as const;
  const conditions = withCondition(pod.status?.["conditions"] ?? [], words, { nowMs, more: { lastProbeTime: null } });
  return statusSteps(memberResources.pods, pod, { ...pod.status, conditions });
}

/** Undefined: it stays. */
function evictionTime(pod: SimulatedObject, node: SimulatedObject): number | undefined {
  const taint = node.spec["taints"]?.find(({ effect }: Fields) => effect === "NoExecute");
  if (taint === undefined) return undefined;
  const tolerations: readonly Fields[] = pod.spec["tolerations"] ?? [];
  const tolerated = tolerations.filter((toleration) => tolerates(toleration, taint));
  if (tolerated.some(({ tolerationSeconds }) => tolerationSeconds === undefined)) return undefined;
  const seconds = tolerated.map(({ tolerationSeconds }) => Number(tolerationSeconds) * 1_000);
  const patienceMs = seconds.length === 0 ? defaultTolerationMs : Math.min(...seconds);
  return Date.parse(taint.timeAdded ?? node.metadata.creationTimestamp) + patienceMs;
}

function removal(pod: SimulatedObject, because: string): Step {
  return { do: "delete", resource: memberResources.pods, object: pod, because, graceSeconds: 0 };
}
