import { selectsLabels } from "#api/meta/label-selector.ts";
import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import type { Cache, Caches } from "../caches.ts";
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
  const { podDisruptionBudgets: budgets, pods } = caches;
  const workloads = workloadsOf(caches);
  return {
    name: "poddisruptionbudgets",
    watches: [
      watchOwn(budgets),
      ...workloads.map((cache) => watchSelected(budgets, cache, templateLabels)),
      ...(options.pods === "real" ? [watchSelected(budgets, pods, podLabels)] : []),
    ],
    gather(key) {
      const budget = budgets.get(parseKey(key));
      if (budget === undefined) return undefined;
      const sets = workloads.flatMap((cache) => selected(budget, cache, templateLabels));
      const counts =
        options.pods === "counted" ? countWorkloads(sets) : countSelected(selected(budget, pods, podLabels), sets);
      return { budget, ...counts, nowMs: clock.nowMs() };
    },
    decide: decideDisruptionBudget,
    apply: (step) => applyStep(client, step),
  };
}

type LabelsOf = (object: SimulatedObject) => Readonly<Record<string, string>> | undefined;
const podLabels: LabelsOf = ({ metadata }) => metadata.labels;
const templateLabels: LabelsOf = ({ spec }) => spec["template"]?.metadata?.labels;

function workloadsOf({ deployments, statefulSets, replicationControllers }: Caches): readonly Cache[] {
  return [deployments, statefulSets, replicationControllers];
}

function watchSelected(budgets: Cache, cache: Cache, labelsOf: LabelsOf): Watch {
  const selecting = (object: SimulatedObject | undefined) =>
    object === undefined
      ? []
      : budgets
          .byIndex("namespace", object.metadata.namespace ?? "")
          .filter(({ spec }) => selectsLabels(spec["selector"], labelsOf(object)))
          .map((budget) => printKey(keyOf(budget)));
  return watchInformer(cache, ({ before, after }) => [...new Set([...selecting(before), ...selecting(after)])]);
}

function selected({ spec, metadata }: SimulatedObject, cache: Cache, labelsOf: LabelsOf): readonly SimulatedObject[] {
  const objects = cache.byIndex("namespace", metadata.namespace ?? "");
  return objects.filter((object) => selectsLabels(spec["selector"], labelsOf(object)));
}

type Counts = Pick<DisruptionBudgetFacts, "expected" | "healthy">;

function countWorkloads(sets: readonly SimulatedObject[]): Counts {
  return {
    expected: sum(sets, ({ spec }) => spec["replicas"] ?? 1),
    healthy: sum(sets, ({ status }) => status?.["readyReplicas"] ?? 0),
  };
}

/** Pods without a workload that says how many it wants are as many as there are. */
function countSelected(pods: readonly SimulatedObject[], sets: readonly SimulatedObject[]): Counts {
  const present = pods.filter((pod) => !isPodEnded(pod));
  const healthy = present.filter((pod) => isPodReady(pod) && !isBeingDeleted(pod)).length;
  return { expected: sets.length > 0 ? countWorkloads(sets).expected : present.length, healthy };
}

function sum(objects: readonly SimulatedObject[], value: (object: SimulatedObject) => number): number {
  return objects.reduce((total, object) => total + value(object), 0);
}
