import type { Controller } from "#runtime/controller.ts";
import type { RunningController } from "#runtime/run-controller.ts";
import { deploymentController } from "./apps/deployment-controller.ts";
import { replicaSetController, replicationControllerController } from "./apps/replica-set-controller.ts";
import { nodeController } from "./nodes/node-controller.ts";
import { kubeletController } from "./pods/kubelet.ts";
import { schedulerController } from "./pods/scheduler.ts";
import type { SimulatorOptions } from "./simulator-options.ts";
import type { SimulatorParts } from "./simulator-parts.ts";

export type StartController = <Facts, Step>(controller: Controller<Facts, Step>) => RunningController;
/** Builds one controller and starts it; a function, because each has facts of its own type. */
export type Starter = (parts: SimulatorParts, start: StartController) => RunningController;

const always: readonly Starter[] = [
  (parts, start) => start(nodeController(parts)),
  (parts, start) => start(schedulerController(parts)),
  (parts, start) => start(kubeletController(parts)),
];

const withPods: readonly Starter[] = [
  (parts, start) => start(replicaSetController(parts)),
  (parts, start) => start(replicationControllerController(parts)),
  (parts, start) => start(deploymentController(parts)),
];

/** The controllers of a member, in the order in which they start. */
export function startersFor(mode: SimulatorOptions["pods"]): readonly Starter[] {
  return mode === "real" ? [...always, ...withPods] : always;
}
