import { expect, test } from "vitest";
import { nowMs, printPlan, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { decideAutoscaler } from "./decide-autoscaler.ts";

const autoscaler = sketch("HorizontalPodAutoscaler", { name: "web" });

test("an autoscaler shows what its target has, and that it has no metrics", () => {
  const target = sketch("Deployment", { status: { replicas: 4 } });
  const plan = decideAutoscaler({ autoscaler, target, nowMs });
  expect(statusIn(plan)).toMatchObject({
    currentReplicas: 4,
    desiredReplicas: 4,
    conditions: [
      { type: "AbleToScale", status: "True" },
      { type: "ScalingActive", status: "False", reason: "FailedGetResourceMetric" },
    ],
  });
  const again = { autoscaler: { ...autoscaler, status: statusIn(plan)! }, target, nowMs: nowMs + 5_000 };
  expect(printPlan(decideAutoscaler(again))).toEqual([]);
});

test("an autoscaler without a target says so", () => {
  const plan = decideAutoscaler({ autoscaler, target: undefined, nowMs });
  expect(statusIn(plan)?.["conditions"]).toMatchObject([
    { type: "AbleToScale", status: "False", reason: "FailedGetScale" },
  ]);
});
