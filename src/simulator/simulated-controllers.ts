import type { Controller } from "#runtime/controller.ts";
import type { RunningController } from "#runtime/run-controller.ts";
import { daemonSetController } from "./apps/daemon-set-controller.ts";
import { deploymentController } from "./apps/deployment-controller.ts";
import { replicaSetController, replicationControllerController } from "./apps/replica-set-controller.ts";
import { statefulSetController } from "./apps/stateful-set-controller.ts";
import { autoscalerController } from "./autoscaling/autoscaler-controller.ts";
import { cronJobController } from "./batch/cron-job-controller.ts";
import { jobController } from "./batch/job-controller.ts";
import { countedController } from "./counted/counted-controller.ts";
import { countedKinds } from "./counted/counted-kinds.ts";
import type { CountedKind } from "./counted/decide-counted.ts";
import type { MemberResource } from "./member-resources.ts";
import { endpointController, ingressController, loadBalancerController } from "./network/service-controllers.ts";
import { nodeController } from "./nodes/node-controller.ts";
import { kubeletController } from "./pods/kubelet.ts";
import { schedulerController } from "./pods/scheduler.ts";
import { disruptionBudgetController } from "./policy/disruption-budget-controller.ts";
import type { SimulatorOptions } from "./simulator-options.ts";
import type { SimulatorParts } from "./simulator-parts.ts";
import { claimController, volumeController } from "./storage/storage-controllers.ts";

export type StartController = <Facts, Step>(controller: Controller<Facts, Step>) => RunningController;
/** Builds one controller and starts it; a function, because each has facts of its own type. */
export type Starter = (parts: SimulatorParts, start: StartController) => RunningController;

const always: readonly Starter[] = [
  (parts, start) => start(nodeController(parts)),
  (parts, start) => start(schedulerController(parts)),
  (parts, start) => start(kubeletController(parts)),
  (parts, start) => start(cronJobController(parts)),
  (parts, start) => start(loadBalancerController(parts)),
  (parts, start) => start(ingressController(parts)),
  (parts, start) => start(claimController(parts)),
  (parts, start) => start(volumeController(parts)),
  (parts, start) => start(disruptionBudgetController(parts)),
  (parts, start) => start(autoscalerController(parts)),
];

const withPods: readonly Starter[] = [
  (parts, start) => start(replicaSetController(parts)),
  (parts, start) => start(replicationControllerController(parts)),
  (parts, start) => start(deploymentController(parts)),
  (parts, start) => start(statefulSetController(parts)),
  (parts, start) => start(daemonSetController(parts)),
  (parts, start) => start(jobController(parts)),
  (parts, start) => start(endpointController(parts)),
];

const counted: readonly Starter[] = Object.entries(countedKinds).map(
  ([name, kind]): Starter =>
    (parts, start) =>
      start(countedController(parts, [name as MemberResource, kind as CountedKind])), // the record's own keys and values
);

/** The controllers of a member, in the order in which they start. */
export function startersFor(mode: SimulatorOptions["pods"]): readonly Starter[] {
  return mode === "real" ? [...always, ...withPods] : [...always, ...counted];
}
