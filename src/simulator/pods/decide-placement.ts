import type { Fields } from "#api/meta/object-meta.ts";
import { compareBytes } from "#base/byte-order.ts";
import type { Plan } from "#base/plan.ts";
import { findCondition, withCondition } from "../conditions.ts";
import { memberResources } from "../member-resources.ts";
import { type Misfit, nodeMisfit, roomMisfits } from "../nodes/node-fit.ts";
import type { Usage } from "../nodes/node-usage.ts";
import { podRequests } from "../nodes/pod-requests.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps } from "../step.ts";

export interface Room {
  readonly node: SimulatedObject;
  readonly usage: Usage;
}

export interface PlacementFacts {
  readonly pod: SimulatedObject;
  readonly rooms: readonly Room[];
  readonly nowMs: number;
}

/** A pod goes to the node with the fewest pods of those that fit, the first by name among equals; or it says why none does. */
export function decidePlacement({ pod, rooms, nowMs }: PlacementFacts): Plan<Step> {
  const { spec } = pod;
  if (spec["nodeName"] || isBeingDeleted(pod) || (spec["schedulingGates"] ?? []).length > 0) return { steps: [] };
  const requests = podRequests(spec);
  const judged = rooms.map((room) => {
    const misfit = nodeMisfit(spec, room.node);
    return { room, misfits: misfit === undefined ? roomMisfits(requests, room.node, room.usage) : [misfit] };
  });
  const fitting = judged.filter(({ misfits }) => misfits.length === 0).map(({ room }) => room);
  const chosen = fitting.toSorted(
    (a, b) => a.usage.pods - b.usage.pods || compareBytes(a.node.metadata.name, b.node.metadata.name),
  )[0];
  if (chosen !== undefined) return { steps: [{ do: "bind", pod, node: chosen.node.metadata.name }] };
  const message = explain(judged.map(({ misfits }) => misfits));
  if (findCondition(pod, "PodScheduled")?.["message"] === message) return { steps: [] };
  return { steps: statusSteps(memberResources.pods, pod, unschedulable(pod, message, nowMs)) };
}

function unschedulable({ status = {} }: SimulatedObject, message: string, nowMs: number): Fields {
  const words = { type: "PodScheduled", status: "False", reason: "Unschedulable", message } as const;
  const conditions = withCondition(status["conditions"] ?? [], words, { nowMs, more: { lastProbeTime: null } });
  return { ...status, conditions };
}

/** Upstream: k8s.io/kubernetes pkg/scheduler/framework/types.go FitError.Error. */
function explain(misfits: readonly (readonly Misfit[])[]): string {
  const total = misfits.length;
  if (total === 0) return "no nodes available to schedule pods";
  const verdict = `0/${total} nodes are available: `;
  const preemption = misfits.map((each) =>
    each.every(({ preemptable }) => preemptable)
      ? "No preemption victims found for incoming pod"
      : "Preemption is not helpful for scheduling",
  );
  const reasons = tally(misfits.flat().map(({ reason }) => reason));
  return `${verdict}${reasons}. preemption: ${verdict}${tally(preemption)}.`;
}

function tally(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted()
    .join(", ");
}
