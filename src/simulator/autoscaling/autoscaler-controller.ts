import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Controller } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import type { Cache } from "../caches.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOwn } from "../watch-owned.ts";
import { type AutoscalerFacts, decideAutoscaler } from "./decide-autoscaler.ts";

/** Keeps the status of every HorizontalPodAutoscaler. */
export function autoscalerController({ caches, client, clock }: SimulatorParts): Controller<AutoscalerFacts, Step> {
  const { horizontalPodAutoscalers: autoscalers } = caches;
  const targets: Readonly<Record<string, Cache>> = {
    Deployment: caches.deployments,
    StatefulSet: caches.statefulSets,
    ReplicaSet: caches.replicaSets,
    ReplicationController: caches.replicationControllers,
  };
  const watchTargets = ([kind, cache]: readonly [string, Cache]) =>
    watchInformer(cache, ({ before, after }) => {
      const { name, namespace = "" } = (after ?? before)?.metadata ?? { name: "" };
      return autoscalers
        .byIndex("namespace", namespace)
        .filter(({ spec }) => spec["scaleTargetRef"].kind === kind && spec["scaleTargetRef"].name === name)
        .map((autoscaler) => printKey(keyOf(autoscaler)));
    });
  return {
    name: "horizontalpodautoscalers",
    watches: [watchOwn(autoscalers), ...Object.entries(targets).map(watchTargets)],
    gather(key) {
      const autoscaler = autoscalers.get(parseKey(key));
      if (autoscaler === undefined) return undefined;
      const { kind, name } = autoscaler.spec["scaleTargetRef"];
      const target = targets[kind]?.get({ namespace: autoscaler.metadata.namespace ?? "", name });
      return { autoscaler, target, nowMs: clock.nowMs() };
    },
    decide: decideAutoscaler,
    apply: (step) => applyStep(client, step),
  };
}
