import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { type ConditionWords, withCondition } from "../conditions.ts";
import { memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps } from "../step.ts";

export interface AutoscalerFacts {
  readonly autoscaler: SimulatedObject;
  /** What it scales; undefined when there is no such thing. */
  readonly target: SimulatedObject | undefined;
  readonly nowMs: number;
}

/** Mirrors what the target has. There are no metrics here, so nothing is ever scaled, and the conditions say so. */
export function decideAutoscaler({ autoscaler, target, nowMs }: AutoscalerFacts): Plan<Step> {
  const before: readonly Fields[] = autoscaler.status?.["conditions"] ?? [];
  const words = target === undefined ? [noScale] : [canScale, noMetrics];
  const conditions = words.reduce((list, each) => withCondition(list, each, { nowMs }), before);
  const current: number = target?.status?.["replicas"] ?? 0;
  const { currentReplicas: _, ...kept } = autoscaler.status ?? {};
  const status = {
    ...kept,
    ...(current > 0 ? { currentReplicas: current } : {}),
    desiredReplicas: current,
    conditions,
  };
  return { steps: statusSteps(memberResources.horizontalPodAutoscalers, autoscaler, status) };
}

const canScale: ConditionWords = {
  type: "AbleToScale",
  status: "True",
  reason: "SucceededGetScale",
  message: "the HPA controller was able to get the target's current scale",
};

const noScale: ConditionWords = {
  type: "AbleToScale",
  status: "False",
  reason: "FailedGetScale",
  message: "the HPA controller was unable to get the target's current scale: not found",
};

const noMetrics: ConditionWords = {
  type: "ScalingActive",
  status: "False",
  reason: "FailedGetResourceMetric",
  message: "the HPA was unable to compute the replica count: a simulated member has no metrics",
};
