import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import type { PodFault } from "../faults.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { type Pace, shownFromMs } from "../simulator-options.ts";
import type { Step } from "../step.ts";

/** What the pods of a workload would be doing, if it had any. */
export type CountedState =
  /** All that is asked for runs. */
  | "settled"
  /** What is new is on its way. */
  | "starting"
  /** What is new will never be ready. */
  | "stuck";

export interface CountedFacts {
  readonly workload: SimulatedObject;
  readonly fault: PodFault | undefined;
  readonly pace: Pace;
  /** Since the workload, or its fault, last changed. */
  readonly elapsedMs: number;
  /** How many nodes would run a pod of it; asked only by DaemonSets. */
  readonly fittingNodes: () => number;
  /** What the ReplicaSet of a Deployment would be called. */
  readonly replicaSetName: (deployment: SimulatedObject) => string;
  readonly nowMs: number;
}

/** How one kind is counted. */
export interface CountedKind {
  readonly resource: ResourceId;
  /** How long its pods take to come to rest. */
  readonly restMs: (pace: Pace) => number;
  readonly statusAt: (facts: CountedFacts, state: CountedState) => Fields;
  /** What happens to it at rest. */
  readonly afterwards?: (facts: CountedFacts) => Plan<Step>;
  /** When its status changes by time alone. */
  readonly wakeMs?: (facts: CountedFacts, status: Fields) => number | undefined;
}

/**
 * Gives a workload the status that its pods would lead to, in as few writes as possible: one when they come up without delay
 * worth showing.
 */
export function decideCounted(kind: CountedKind, facts: CountedFacts): Plan<Step> {
  const { workload, fault, pace, elapsedMs, nowMs } = facts;
  if (isBeingDeleted(workload)) return { steps: [] };
  const hopeless = fault !== undefined && fault.kind !== "slow-start";
  if (!hopeless) {
    const settled = kind.statusAt(facts, "settled");
    if (jsonEquals(workload.status ?? {}, settled)) return kind.afterwards?.(facts) ?? { steps: [] };
    const restMs = kind.restMs(pace) + (fault?.kind === "slow-start" ? fault.delayMs : 0);
    if (elapsedMs >= restMs) return { steps: [write(kind, workload, settled)] };
    const waitFor = { reason: "pods are starting", retryAfterMs: restMs - elapsedMs };
    if (restMs < shownFromMs) return { steps: [], waitFor };
    return { steps: putStatus(kind, facts, "starting"), waitFor };
  }
  const status = kind.statusAt(facts, "stuck");
  if (jsonEquals(workload.status ?? {}, status) && kind.afterwards !== undefined) return kind.afterwards(facts);
  const steps = putStatus(kind, facts, "stuck");
  const wakeMs = kind.wakeMs?.(facts, status);
  if (wakeMs === undefined) return { steps };
  return { steps, waitFor: { reason: "deadline", retryAfterMs: Math.max(wakeMs - nowMs, 0) } };
}

function putStatus(kind: CountedKind, facts: CountedFacts, state: CountedState): readonly Step[] {
  const status = kind.statusAt(facts, state);
  return jsonEquals(facts.workload.status ?? {}, status) ? [] : [write(kind, facts.workload, status)];
}

function write({ resource }: CountedKind, object: SimulatedObject, status: Fields): Step {
  return { do: "writeStatus", resource, object, status };
}
