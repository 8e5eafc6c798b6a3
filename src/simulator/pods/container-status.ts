import type { Fields } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import { hexOf } from "../stable-hash.ts";
import type { PodStage } from "./pod-stage.ts";

export interface ContainerFacts {
  readonly container: Fields;
  /** What its status said before. */
  readonly before: Fields | undefined;
  readonly stage: PodStage;
  readonly podUid: string;
  readonly nowMs: number;
}

/** The status of one of a pod's containers at a stage; times of states that go on stay as they were. */
export function containerStatus(facts: ContainerFacts): Fields {
  const { container, before, stage, nowMs } = facts;
  const restartCount: number = before?.["restartCount"] ?? 0;
  const lastState: Fields = before?.["lastState"] ?? {};
  switch (stage.at) {
    case "creating":
      return waiting(facts, { reason: "ContainerCreating" });
    case "pulling": {
      const message = pullMessage(stage.reason, container["image"]);
      return waiting(facts, { reason: stage.reason, message });
    }
    case "running":
      return {
        ...identity(facts, restartCount),
        restartCount,
        lastState,
        ready: stage.ready,
        started: true,
        state: { running: before?.["state"]?.running ?? { startedAt: formatTime(nowMs) } },
      };
    case "crashed":
      return crashed(facts, stage);
    case "ended":
      return {
        ...identity(facts, restartCount),
        restartCount,
        lastState,
        ready: false,
        started: false,
        state: before?.["state"]?.terminated === undefined ? termination(facts, stage.exitCode) : before["state"],
      };
  }
}

/** The status of an init container: a sidecar does as the others do, any other has done its work before they start. */
export function initContainerStatus(facts: ContainerFacts): Fields {
  const { container, before, stage } = facts;
  if (container["restartPolicy"] === "Always") {
    const ended = stage.at === "ended" ? { ...stage, exitCode: 0 } : stage;
    return containerStatus({ ...facts, stage: stage.at === "crashed" ? { at: "running", ready: true } : ended });
  }
  if (stage.at === "creating") return waiting(facts, { reason: "PodInitializing" });
  if (stage.at === "pulling") return containerStatus(facts);
  return {
    ...identity(facts, 0),
    restartCount: 0,
    lastState: {},
    ready: true,
    started: false,
    state: before?.["state"]?.terminated === undefined ? termination(facts, 0) : before["state"],
  };
}

function crashed(facts: ContainerFacts, stage: Extract<PodStage, { at: "crashed" }>): Fields {
  const { container, before } = facts;
  const restarting = `restarting failed container=${container["name"]} pod=${stage.podName}`;
  return {
    ...identity(facts, stage.restarts),
    restartCount: stage.restarts,
    lastState: stage.again ? termination(facts, 1) : (before?.["lastState"] ?? {}),
    ready: false,
    started: false,
    state: { waiting: { reason: "CrashLoopBackOff", message: `back-off ${stage.backOffSeconds}s ${restarting}` } },
  };
}

function waiting({ container, before }: ContainerFacts, state: Fields): Fields {
  return {
    name: container["name"],
    image: container["image"],
    imageID: "",
    ready: false,
    started: false,
    restartCount: before?.["restartCount"] ?? 0,
    lastState: before?.["lastState"] ?? {},
    state: { waiting: state },
  };
}

function identity({ container, podUid }: ContainerFacts, restarts: number): Fields {
  const { name, image } = container;
  return {
    name,
    image,
    imageID: `sha256:${hexOf(image, 64)}`,
    containerID: `simulated://${hexOf(`${podUid}/${name}/${restarts}`, 64)}`,
  };
}

function termination(facts: ContainerFacts, exitCode: number): Fields {
  const { before, nowMs } = facts;
  const finishedAt = formatTime(nowMs);
  return {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? "Completed" : "Error",
      startedAt: before?.["state"]?.running?.startedAt ?? finishedAt,
      finishedAt,
      containerID: identity(facts, before?.["restartCount"] ?? 0)["containerID"],
    },
  };
}

function pullMessage(reason: "ErrImagePull" | "ImagePullBackOff", image: string): string {
  return reason === "ErrImagePull"
    ? `failed to pull and unpack image "${image}": not found`
    : `Back-off pulling image "${image}": ErrImagePull: failed to pull and unpack image "${image}": not found`;
}
