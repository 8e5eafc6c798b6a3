import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { nowMs, printPlan, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { decideDisruptionBudget } from "./decide-disruption-budget.ts";

interface Row {
  readonly spec: Fields;
  readonly expected: number;
  readonly healthy: number;
  readonly desired: number;
  readonly allowed: number;
}
const rows: Readonly<Record<string, Row>> = {
  "two of three must stay": { spec: { minAvailable: 2 }, expected: 3, healthy: 3, desired: 2, allowed: 1 },
  "half of five must stay, rounded up": {
    spec: { minAvailable: "50%" },
    expected: 5,
    healthy: 5,
    desired: 3,
    allowed: 2,
  },
  "one may go, one is gone already": { spec: { maxUnavailable: 1 }, expected: 3, healthy: 2, desired: 2, allowed: 0 },
  "a third may go, rounded up": { spec: { maxUnavailable: "30%" }, expected: 4, healthy: 4, desired: 2, allowed: 2 },
  "nothing is selected": { spec: { minAvailable: 0 }, expected: 0, healthy: 0, desired: 0, allowed: 0 },
};
for (const [name, { spec, expected, healthy, desired, allowed }] of Object.entries(rows)) {
  test(name, () => {
    const plan = decideDisruptionBudget({ budget: sketch("PodDisruptionBudget", { spec }), expected, healthy, nowMs });
    expect(statusIn(plan)).toMatchObject({
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: expected,
      conditions: [{ type: "DisruptionAllowed", reason: allowed > 0 ? "SufficientPods" : "InsufficientPods" }],
    });
  });
}

test("a budget that says so already is left alone", () => {
  const facts = {
    budget: sketch("PodDisruptionBudget", { spec: { minAvailable: 1 } }),
    expected: 2,
    healthy: 2,
    nowMs,
  };
  const status = statusIn(decideDisruptionBudget(facts))!;
  const again = { ...facts, budget: { ...facts.budget, status }, nowMs: nowMs + 5_000 };
  expect(printPlan(decideDisruptionBudget(again))).toEqual([]);
});
