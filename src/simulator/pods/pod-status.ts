import type { Fields } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import { type ConditionWords, withCondition } from "../conditions.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { containerStatus, initContainerStatus } from "./container-status.ts";
import type { PodStage } from "./pod-stage.ts";

export interface PodStatusFacts {
  readonly pod: SimulatedObject;
  readonly stage: PodStage;
  readonly hostAddress: string;
  readonly podAddress: string;
  readonly nowMs: number;
}

/** The whole status that a kubelet reports for a pod at a stage. */
export function podStatus(facts: PodStatusFacts): Fields {
  const { pod, stage, hostAddress, podAddress, nowMs } = facts;
  const before: Fields = pod.status ?? {};
  const address = pod.spec["hostNetwork"] === true ? hostAddress : podAddress;
  const connected = stage.at !== "creating";
  const init: readonly Fields[] = pod.spec["initContainers"] ?? [];
  return {
    ...before,
    phase: phaseOf(stage),
    conditions: conditionsOf(facts),
    hostIP: hostAddress,
    hostIPs: [{ ip: hostAddress }],
    ...(connected ? { podIP: address, podIPs: [{ ip: address }] } : {}),
    startTime: before["startTime"] ?? formatTime(nowMs),
    ...(init.length === 0
      ? {}
      : { initContainerStatuses: containerStatuses(facts, "initContainers", initContainerStatus) }),
    containerStatuses: containerStatuses(facts, "containers", containerStatus),
  };
}

function containerStatuses(
  { pod, stage, nowMs }: PodStatusFacts,
  list: "containers" | "initContainers",
  render: typeof containerStatus,
): readonly Fields[] {
  const field = list === "containers" ? "containerStatuses" : "initContainerStatuses";
  const known: readonly Fields[] = pod.status?.[field] ?? [];
  const containers: readonly Fields[] = pod.spec[list] ?? [];
  return containers.map((container) => {
    const before = known.find(({ name }) => name === container["name"]);
    return render({ container, before, stage, podUid: pod.metadata.uid, nowMs });
  });
}

function phaseOf(stage: PodStage): string {
  switch (stage.at) {
    case "creating":
    case "pulling":
      return "Pending";
    case "running":
    case "crashed":
      return "Running";
    case "ended":
      return stage.exitCode === 0 ? "Succeeded" : "Failed";
  }
}

function conditionsOf({ pod, stage, nowMs }: PodStatusFacts): readonly Fields[] {
  const before: readonly Fields[] = pod.status?.["conditions"] ?? [];
  return [...sayings(pod, stage), { type: "PodScheduled", status: "True" } as const].reduce(
    (list, words) => withCondition(list, words, { nowMs, more: { lastProbeTime: null } }),
    before,
  );
}

function sayings(pod: SimulatedObject, stage: PodStage): readonly ConditionWords[] {
  const connected: ConditionWords = {
    type: "PodReadyToStartContainers",
    status: stage.at === "creating" || stage.at === "ended" ? "False" : "True",
  };
  const initialized = initialization(pod, stage);
  const readiness = readinessOf(pod, stage);
  return [
    connected,
    initialized,
    { type: "Ready", ...readiness, ...gatedReadiness(pod, readiness) },
    { type: "ContainersReady", ...readiness },
  ];
}

function initialization(pod: SimulatedObject, stage: PodStage): ConditionWords {
  if (stage.at === "ended" && stage.exitCode === 0) {
    return { type: "Initialized", status: "True", reason: "PodCompleted" };
  }
  const names = containerNames(pod, "initContainers");
  const waits = names.length > 0 && (stage.at === "creating" || stage.at === "pulling");
  if (!waits) return { type: "Initialized", status: "True" };
  const message = `containers with incomplete status: [${names.join(" ")}]`;
  return { type: "Initialized", status: "False", reason: "ContainersNotInitialized", message };
}

type Readiness = Omit<ConditionWords, "type">;

function readinessOf(pod: SimulatedObject, stage: PodStage): Readiness {
  if (stage.at === "running" && stage.ready) return { status: "True" };
  if (stage.at === "ended") return { status: "False", reason: stage.exitCode === 0 ? "PodCompleted" : "PodFailed" };
  const message = `containers with unready status: [${containerNames(pod, "containers").join(" ")}]`;
  return { status: "False", reason: "ContainersNotReady", message };
}

/** A readiness gate is opened by whoever asked for it, not by us. */
function gatedReadiness(pod: SimulatedObject, { status }: Readiness): Readiness | undefined {
  const gates: readonly Fields[] = pod.spec["readinessGates"] ?? [];
  const conditions: readonly Fields[] = pod.status?.["conditions"] ?? [];
  const closed = gates.find(
    ({ conditionType }) => !conditions.some((each) => each["type"] === conditionType && each["status"] === "True"),
  );
  if (status !== "True" || closed === undefined) return undefined;
  const message = `corresponding condition of pod readiness gate "${closed["conditionType"]}" does not exist.`;
  return { status: "False", reason: "ReadinessGatesNotReady", message };
}

function containerNames(pod: SimulatedObject, list: "containers" | "initContainers"): readonly string[] {
  const containers: readonly Fields[] = pod.spec[list] ?? [];
  return containers.map(({ name }) => name);
}
