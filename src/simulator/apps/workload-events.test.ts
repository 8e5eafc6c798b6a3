import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { Step } from "../step.ts";
import { podCreated, podDeletions, scalingEvents } from "./workload-events.ts";

const { replicaSets: resource, pods } = memberResources;
const set = (name: string, replicas: number) =>
  ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, uid: name },
    spec: { replicas },
  }) as unknown as SimulatedObject; // as much as is read
const messages = (step: Step, before: readonly SimulatedObject[] = []) =>
  scalingEvents(step, before).map(({ reason, message }) => `${reason} ${message}`);

test("a new ReplicaSet was scaled up from none, one without replicas was not", () => {
  expect(messages({ do: "create", resource, object: set("web-1", 3) })).toEqual([
    "ScalingReplicaSet Scaled up replica set web-1 from 0 to 3",
  ]);
  expect(messages({ do: "create", resource, object: set("web-1", 0) })).toEqual([]);
});

test("every ReplicaSet whose number changes is told, and no other write", () => {
  const before = [set("web-1", 3), set("web-2", 1), set("web-3", 2)];
  const steps: Step[] = [
    { do: "update", resource, object: set("web-1", 2) as unknown as ApiObject },
    { do: "update", resource, object: set("web-2", 2) as unknown as ApiObject },
    { do: "update", resource, object: set("web-3", 2) as unknown as ApiObject },
    { do: "writeStatus", resource, object: set("web-3", 2) as unknown as ApiObject, status: {} },
  ];
  expect(messages({ do: "together", steps }, before)).toEqual([
    "ScalingReplicaSet Scaled down replica set web-1 from 3 to 2",
    "ScalingReplicaSet Scaled up replica set web-2 from 1 to 2",
  ]);
});

test("pods that come and go are named", () => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web-1-x" } } as unknown as ApiObject; // as much as is read
  expect(podCreated(pod)).toMatchObject({ reason: "SuccessfulCreate", message: "Created pod: web-1-x" });
  expect(podDeletions({ do: "delete", resource: pods, object: pod, because: "surplus" })).toMatchObject([
    { reason: "SuccessfulDelete", message: "Deleted pod: web-1-x" },
  ]);
});
