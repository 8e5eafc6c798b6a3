import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { resolveCount } from "../apps/rollout-limits.ts";
import { withCondition } from "../conditions.ts";
import { memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps } from "../step.ts";

export interface DisruptionBudgetFacts {
  readonly budget: SimulatedObject;
  /** How many pods the selected workloads want. */
  readonly expected: number;
  readonly healthy: number;
  readonly nowMs: number;
}

/** Says how many of the selected pods may go now. */
export function decideDisruptionBudget(facts: DisruptionBudgetFacts): Plan<Step> {
  const { budget } = facts;
  return { steps: statusSteps(memberResources.podDisruptionBudgets, budget, budgetStatus(facts)) };
}

function budgetStatus({ budget, expected, healthy, nowMs }: DisruptionBudgetFacts): Fields {
  const { minAvailable, maxUnavailable } = budget.spec;
  const desired =
    maxUnavailable === undefined
      ? resolveCount(minAvailable ?? 1, expected, Math.ceil)
      : Math.max(expected - resolveCount(maxUnavailable, expected, Math.ceil), 0);
  const allowed = expected === 0 ? 0 : Math.max(healthy - desired, 0);
  const words =
    allowed > 0
      ? ({ status: "True", reason: "SufficientPods" } as const)
      : ({ status: "False", reason: "InsufficientPods" } as const);
  const observedGeneration = budget.metadata.generation ?? 1;
  const conditions = withCondition(
    budget.status?.["conditions"] ?? [],
    { type: "DisruptionAllowed", message: "", ...words },
    { nowMs, more: { observedGeneration } },
  );
  return {
    conditions,
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: allowed,
    expectedPods: expected,
    observedGeneration,
  };
}
