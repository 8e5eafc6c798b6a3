import { expect, test } from "vitest";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { autoscalerConversion } from "./convert-autoscaler.ts";

const cpu = (averageUtilization: number) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const pods = {
  type: "Pods",
  pods: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } },
};

const second = {
  kind: "HorizontalPodAutoscaler",
  apiVersion: "autoscaling/v2",
  metadata: {
    name: "web",
    namespace: "shop",
    uid: "u",
    resourceVersion: "1",
    creationTimestamp: "2026-11-15T00:00:00Z",
    annotations: { note: "kept" },
  },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    minReplicas: 1,
    maxReplicas: 3,
    metrics: [cpu(70), pods],
    behavior: { scaleDown: { stabilizationWindowSeconds: 5 } },
  },
  status: { currentReplicas: 1, desiredReplicas: 2, conditions: [{ type: "AbleToScale", status: "True" }] },
} as unknown as ApiObject;

test("what v1 has no field for survives the way there and back", () => {
  const first = autoscalerConversion.fromStorage(second);
  expect(first["spec"]).toEqual({
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    minReplicas: 1,
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 70,
  });
  expect(first.metadata.annotations?.["autoscaling.alpha.kubernetes.io/metrics"]).toContain("queue");
  expect(autoscalerConversion.toStorage(first as unknown as Draft)).toEqual(second);
});

test("without a target the default of v2 is stored", () => {
  const draft = {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: { name: "web" },
    spec: { maxReplicas: 3 },
  };
  expect(autoscalerConversion.toStorage(draft)["spec"]).toEqual({ maxReplicas: 3, metrics: [cpu(80)] });
});

test("an annotation that is no JSON is left out", () => {
  const draft = {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: { name: "web", annotations: { "autoscaling.alpha.kubernetes.io/behavior": "{" } },
    spec: { maxReplicas: 3 },
  };
  expect(autoscalerConversion.toStorage(draft)["spec"]).not.toHaveProperty("behavior");
});
