import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { podEffects } from "./pod-effects.ts";

interface Sketch {
  readonly kind?: string;
  readonly replicas?: number;
  readonly image?: string;
  readonly more?: object;
  readonly status?: object;
}

function workload({ kind = "Deployment", replicas = 4, image = "a", more = {}, status = {} }: Sketch): ApiObject {
  const template = { spec: { containers: [{ name: "main", image }] } };
  const metadata = { name: "web", uid: "1", resourceVersion: "1", creationTimestamp: "" };
  return { apiVersion: "apps/v1", kind, metadata, spec: { replicas, template, ...more }, status };
}

const recreate = { strategy: { type: "Recreate" } };
const half = { strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "50%" } } };

test.each<[string, Sketch, Sketch | undefined, readonly [boolean, number]]>([
  ["the same pods stay", {}, {}, [false, 0]],
  ["scaling restarts nothing", {}, { replicas: 1 }, [false, 0]],
  ["another image rolls a quarter at a time", {}, { image: "b" }, [true, 1]],
  ["or as many as the strategy says", {}, { image: "b", more: half }, [true, 2]],
  ["or all of them", {}, { image: "b", more: recreate }, [true, 4]],
  ["what runs no pods restarts none", { replicas: 0 }, { replicas: 0, image: "b" }, [false, 0]],
  ["a stateful set goes one by one", { kind: "StatefulSet" }, { kind: "StatefulSet", image: "b" }, [true, 1]],
  [
    "a daemon set by its nodes",
    { kind: "DaemonSet", status: { desiredNumberScheduled: 3 } },
    { kind: "DaemonSet", image: "b", status: { desiredNumberScheduled: 3 } },
    [true, 1],
  ],
  ["what is deleted is down", {}, undefined, [false, 4]],
  ["a ConfigMap has no pods", { kind: "ConfigMap" }, undefined, [false, 0]],
])("%s", (_, before, after, [restarts, replicasDown]) => {
  const copy = { before: workload(before), after: after && workload(after) };
  expect(podEffects(copy, { before: undefined, after: undefined })).toEqual({ restarts, replicasDown });
  expect(podEffects(copy, copy)).toEqual({ restarts, replicasDown });
});
