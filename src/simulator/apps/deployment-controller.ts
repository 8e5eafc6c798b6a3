import { printKey } from "#api/meta/resource-id.ts";
import type { Controller } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import { memberResources } from "../member-resources.ts";
import { parseKey } from "../object-key.ts";
import { isPodEnded } from "../pods/pod-counts.ts";
import { controllerOf } from "../simulated-object.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOrphans, watchOwn, watchOwned } from "../watch-owned.ts";
import { type DeploymentFacts, decideDeployment } from "./decide-deployment.ts";
import { scalingEvents } from "./workload-events.ts";

/** Keeps the ReplicaSets of every Deployment. */
export function deploymentController(parts: SimulatorParts): Controller<DeploymentFacts, Step> {
  const { caches, client, clock } = parts;
  const { deployments, replicaSets, pods } = caches;
  const events = parts.recorderOf("deployment-controller");
  /** Recreate waits until the last old pod is gone. */
  const whenPodGoes = watchInformer(pods, ({ before, after }) => {
    const owner = before === undefined || after !== undefined ? undefined : controllerOf(before);
    if (owner?.kind !== "ReplicaSet") return [];
    const namespace = before?.metadata.namespace ?? "";
    const set = replicaSets.get({ namespace, name: owner.name });
    const deployment = set === undefined ? undefined : controllerOf(set);
    return deployment === undefined ? [] : [printKey({ namespace, name: deployment.name })];
  });
  return {
    name: "deployments",
    watches: [
      watchOwn(deployments),
      watchOwned(replicaSets, memberResources.deployments),
      watchOrphans(replicaSets, deployments, (spec) => spec["selector"]),
      whenPodGoes,
    ],
    gather(key) {
      const deployment = deployments.get(parseKey(key));
      if (deployment === undefined) return undefined;
      const { uid, namespace = "" } = deployment.metadata;
      return {
        deployment,
        replicaSets: replicaSets.byIndex("owner", uid),
        orphans: replicaSets.byIndex("orphans", namespace),
        hasPods: (set) => pods.byIndex("owner", set.metadata.uid).some((pod) => !isPodEnded(pod)),
        nowMs: clock.nowMs(),
      };
    },
    decide: decideDeployment,
    async apply(step, { deployment, replicaSets: before }) {
      await applyStep(client, step);
      for (const text of scalingEvents(step, before)) events.record(deployment, text);
    },
  };
}
