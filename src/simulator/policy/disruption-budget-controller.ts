import { selectsLabels } from "#api/meta/label-selector.ts";
import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import type { Cache } from "../caches.ts";
import { parseKey } from "../object-key.ts";
import { isPodEnded, isPodReady } from "../pods/pod-counts.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOwn } from "../watch-owned.ts";
import { type DisruptionBudgetFacts, decideDisruptionBudget } from "./decide-disruption-budget.ts";

/** Keeps the status of every PodDisruptionBudget, by the pods that it selects or, where pods are only counted, by the workloads. */
export function disruptionBudgetController(parts: SimulatorParts): Controller<DisruptionBudgetFacts, Step> {
  const { caches, client, clock, options } = parts;
  const { podDisruptionBudgets: budgets, pods, deployments, statefulSets, replicationControllers } = caches;
  const workloads = [deployments, statefulSets, replicationControllers];
  const selecting = (object: SimulatedObject | undefined, labelsOf: LabelsOf) =>
    object === undefined
      ? []
      : budgets
          .byIndex("namespace", object.metadata.namespace ?? "")
          .filter(({ spec }) => selectsLabels(spec["selector"], labelsOf(object)))
          .map((budget) => printKey(keyOf(budget)));
  const watchSelected = (cache: Cache, labelsOf: LabelsOf): Watch =>
    watchInformer(cache, ({ before, after }) => [
      ...new Set([...selecting(before, labelsOf), ...selecting(after, labelsOf)]),
    ]);
  return {
    name: "poddisruptionbudgets",
    watches: [
      watchOwn(budgets),
      ...workloads.map((cache) => watchSelected(cache, templateLabels)),
      ...(options.pods === "real" ? [watchSelected(pods, podLabels)] : []),
    ],
    gather(key) {
      const budget = budgets.get(parseKey(key));
      if (budget === undefined) return undefined;
      const { namespace = "" } = budget.metadata;
      const selected = (cache: Cache, labelsOf: LabelsOf) =>
        cache
          .byIndex("namespace", namespace)
          .filter((object) => selectsLabels(budget.spec["selector"], labelsOf(object)));
      const sets = workloads.flatMap((cache) => selected(cache, templateLabels));
      const wanted = sum(sets, ({ spec }) => spec["replicas"] ?? 1);
      if (options.pods === "counted") {
        const healthy = sum(sets, ({ status }) => status?.["readyReplicas"] ?? 0);
        return { budget, expected: wanted, healthy, nowMs: clock.nowMs() };
      }
      const present = selected(pods, podLabels).filter((pod) => !isPodEnded(pod));
      const healthy = present.filter((pod) => isPodReady(pod) && !isBeingDeleted(pod)).length;
      return {
        budget,
        expected: sets.length > 0 ? wanted : present.length,
        healthy,
        nowMs: clock.nowMs(),
      };
    },
    decide: decideDisruptionBudget,
    apply: (step) => applyStep(client, step),
  };
}

type LabelsOf = (object: SimulatedObject) => Readonly<Record<string, string>> | undefined;
const podLabels: LabelsOf = ({ metadata }) => metadata.labels;
const templateLabels: LabelsOf = ({ spec }) => spec["template"]?.metadata?.labels;

function sum(objects: readonly SimulatedObject[], value: (object: SimulatedObject) => number): number {
  return objects.reduce((total, object) => total + value(object), 0);
}
