import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import type { SimulatedObject } from "#simulator/simulated-object.ts";
import type { Step } from "#simulator/step.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** Midnight of the first day of 2030: when tests of decisions take place. */
export const nowMs = Date.UTC(2030, 0, 1);

export interface Sketch {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  readonly createdMs?: number;
  readonly deleted?: boolean;
  readonly owner?: SimulatedObject;
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly data?: Fields;
  readonly revision?: number;
}

/** An object of which a test says only what matters; frozen, as everything from a cache is to be treated. */
export function sketch(kind: string, given: Sketch = {}): SimulatedObject {
  const { name = kind.toLowerCase(), owner, createdMs = nowMs - 3_600_000, generation = 1 } = given;
  const time = (ms: number) => new Date(ms).toISOString().replace(".000", "");
  const reference = owner && {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return deepFreeze({
    apiVersion: ["Pod", "Node", "Service"].includes(kind) ? "v1" : kind.endsWith("Job") ? "batch/v1" : "apps/v1",
    kind,
    metadata: {
      name,
      namespace: "default",
      uid: `uid-${name}`,
      resourceVersion: "1",
      generation,
      creationTimestamp: time(createdMs),
      ...(given.labels === undefined ? {} : { labels: given.labels }),
      ...(given.annotations === undefined ? {} : { annotations: given.annotations }),
      ...(given.deleted ? { deletionTimestamp: time(nowMs), deletionGracePeriodSeconds: 30 } : {}),
      ...(reference === undefined ? {} : { ownerReferences: [reference] }),
    },
    spec: given.spec ?? {},
    ...(given.status === undefined ? {} : { status: given.status }),
    ...(given.data === undefined ? {} : { data: given.data }),
    ...(given.revision === undefined ? {} : { revision: given.revision }),
  });
}

/** A template of pods with one container. */
export function podTemplate(image = "nginx", labels: Readonly<Record<string, string>> = { app: "web" }): Fields {
  return { metadata: { labels }, spec: { containers: [{ name: "c", image }], restartPolicy: "Always" } };
}

/** A pod as its kubelet would report it. */
export function runningPod(given: Sketch & { readonly node?: string; readonly ready?: boolean } = {}): SimulatedObject {
  const { node = "n1", ready = true, ...rest } = given;
  const since = new Date(nowMs - 60_000).toISOString().replace(".000", "");
  return sketch("Pod", {
    ...rest,
    spec: { nodeName: node, containers: [{ name: "c", image: "nginx" }], restartPolicy: "Always", ...rest.spec },
    status: {
      phase: "Running",
      podIP: "10.244.0.2",
      conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime: since }],
      containerStatuses: [{ name: "c", ready, restartCount: 0, state: { running: { startedAt: since } } }],
      ...rest.status,
    },
  });
}

/** A ready node with the default room. */
export function readyNode(name: string, given: Sketch = {}): SimulatedObject {
  return sketch("Node", {
    ...given,
    name,
    labels: { "kubernetes.io/hostname": name, ...given.labels },
    status: {
      allocatable: { cpu: "8", memory: "32Gi", pods: "110" },
      addresses: [{ type: "InternalIP", address: "172.18.0.2" }],
      conditions: [{ type: "Ready", status: "True" }],
      ...given.status,
    },
  });
}

/** A plan as lines that can be read; a status as the parts a test asks for. */
export function printPlan(plan: Plan<Step>): readonly string[] {
  const lines = plan.steps.flatMap(printStep);
  return plan.waitFor === undefined
    ? lines
    : [...lines, `wait for ${plan.waitFor.reason}: ${plan.waitFor.retryAfterMs} ms`];
}

/** The status that a plan writes; undefined when it writes none. */
export function statusIn(plan: Plan<Step>): Fields | undefined {
  for (const step of plan.steps) if (step.do === "writeStatus") return step.status;
  return undefined;
}

function printStep(step: Step): readonly string[] {
  switch (step.do) {
    case "together":
      return step.steps.flatMap(printStep);
    case "create": {
      const { name, generateName } = step.object.metadata;
      return [`create ${step.object.kind} ${name ?? `${generateName}*`}`];
    }
    case "update": {
      const replicas = (step.object["spec"] as Fields | undefined)?.["replicas"]; // shown where there is one
      return [
        `update ${step.object.kind} ${step.object.metadata.name}${replicas === undefined ? "" : ` replicas=${replicas}`}`,
      ];
    }
    case "patch":
      return [`patch ${step.object.kind} ${step.object.metadata.name}`];
    case "delete":
      return [`delete ${step.object.kind} ${step.object.metadata.name}: ${step.because}`];
    case "bind":
      return [`bind ${step.pod.metadata.name} to ${step.node}`];
    case "writeStatus":
      return [`status ${step.object.kind} ${step.object.metadata.name}`];
  }
}
