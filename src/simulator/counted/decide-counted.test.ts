import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { nowMs, podTemplate, printPlan, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { replicaSetName } from "../apps/replica-set-of-template.ts";
import type { PodFault } from "../faults.ts";
import type { MemberResource } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { noDelays } from "../simulator-options.ts";
import { countedKinds } from "./counted-kinds.ts";
import { type CountedFacts, decideCounted } from "./decide-counted.ts";

const replicated = { replicas: 4, selector: {}, template: podTemplate(), progressDeadlineSeconds: 600 };
const workloads: Partial<Record<MemberResource, SimulatedObject>> = {
  deployments: sketch("Deployment", {
    name: "web",
    spec: { ...replicated, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } },
    status: {},
  }),
  replicaSets: sketch("ReplicaSet", { name: "web", spec: replicated, status: { replicas: 0 } }),
  replicationControllers: sketch("ReplicationController", { name: "web", spec: replicated, status: { replicas: 0 } }),
  statefulSets: sketch("StatefulSet", {
    name: "web",
    spec: { ...replicated, updateStrategy: { type: "RollingUpdate" } },
    status: { replicas: 0, availableReplicas: 0 },
  }),
  daemonSets: sketch("DaemonSet", { name: "web", spec: { template: podTemplate() }, status: {} }),
  jobs: sketch("Job", {
    name: "web",
    spec: { parallelism: 2, completions: 4, backoffLimit: 1, template: podTemplate() },
    status: {},
  }),
};

function facts(workload: SimulatedObject, given: Partial<CountedFacts> = {}): CountedFacts {
  const counted = { fault: undefined, pace: noDelays, elapsedMs: 0, fittingNodes: () => 4, replicaSetName, nowMs };
  return { workload, ...counted, ...given };
}

function decide(name: MemberResource, given: Partial<CountedFacts> = {}) {
  return decideCounted(countedKinds[name]!, facts(workloads[name]!, given));
}

const healthy: Partial<Record<MemberResource, Fields>> = {
  deployments: { observedGeneration: 1, replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4 },
  replicaSets: { observedGeneration: 1, replicas: 4, fullyLabeledReplicas: 4, readyReplicas: 4, availableReplicas: 4 },
  replicationControllers: {
    observedGeneration: 1,
    replicas: 4,
    fullyLabeledReplicas: 4,
    readyReplicas: 4,
    availableReplicas: 4,
  },
  statefulSets: {
    observedGeneration: 1,
    replicas: 4,
    readyReplicas: 4,
    currentReplicas: 4,
    updatedReplicas: 4,
    availableReplicas: 4,
  },
  daemonSets: {
    observedGeneration: 1,
    desiredNumberScheduled: 4,
    updatedNumberScheduled: 4,
    numberReady: 4,
    numberAvailable: 4,
  },
  jobs: { succeeded: 4, completionTime: "2030-01-01T00:00:00Z" },
};

const fault = (kind: Exclude<PodFault["kind"], "slow-start">): PodFault => ({ kind });

for (const [resource, expected] of Object.entries(healthy)) {
  const name = resource as MemberResource; // the record's own keys
  const kind = countedKinds[name]!;

  test(`${name} without delay are healthy after one write`, () => {
    const plan = decide(name);
    expect(plan.steps).toHaveLength(1);
    expect(plan.waitFor).toBeUndefined();
    expect(statusIn(plan)).toMatchObject(expected);
    const done = { ...workloads[name]!, status: statusIn(plan)! };
    expect(
      printPlan(decideCounted(kind, facts(done, { nowMs: nowMs + 60_000 }))),
      "and stay so without another",
    ).toEqual([]);
  });

  test(`${name} with a short delay wait without writing`, () => {
    const pace = { startMs: 300, stopMs: 0, jobMs: 200 };
    const plan = decide(name, { pace, elapsedMs: 100 });
    expect(plan.steps).toEqual([]);
    expect(plan.waitFor?.retryAfterMs).toBe(name === "jobs" ? 400 : 200);
    expect(statusIn(decide(name, { pace, elapsedMs: 500 }))).toMatchObject(expected);
  });

  test(`${name} with a long delay show that they are on their way`, () => {
    const slow = { fault: { kind: "slow-start", delayMs: 30_000 } as const };
    const plan = decide(name, slow);
    expect(statusIn(plan)).not.toMatchObject(expected);
    expect(plan.waitFor?.retryAfterMs).toBe(30_000);
    const begun = { ...workloads[name]!, status: statusIn(plan)! };
    const later = facts(begun, { ...slow, elapsedMs: 10_000, nowMs: nowMs + 10_000 });
    expect(decideCounted(kind, later).steps, "once").toEqual([]);
  });

  test(`${name} that cannot get ready say so and rest`, () => {
    const plan = decide(name, { fault: fault("image-pull-error") });
    expect(statusIn(plan)).not.toMatchObject(expected);
    const stuck = { ...workloads[name]!, status: statusIn(plan)! };
    const later = facts(stuck, { fault: fault("image-pull-error"), nowMs: nowMs + 60_000 });
    expect(decideCounted(kind, later).steps).toEqual([]);
    expect(statusIn(decideCounted(kind, facts(stuck))), "and recover").toMatchObject(expected);
  });
}

test("a Deployment whose new template cannot get ready keeps what the limits ask for", () => {
  const status = statusIn(decide("deployments"))!;
  const changed = sketch("Deployment", {
    name: "web",
    generation: 2,
    spec: { ...workloads.deployments!.spec, template: podTemplate("bad") },
    status,
  });
  const plan = decideCounted(countedKinds.deployments!, facts(changed, { fault: fault("image-pull-error") }));
  expect(statusIn(plan)).toMatchObject({
    observedGeneration: 2,
    replicas: 5,
    updatedReplicas: 2,
    readyReplicas: 3,
    availableReplicas: 3,
  });
  expect(plan.waitFor?.retryAfterMs, "until its deadline").toBe(600_000);
});

test("a Deployment that is paused keeps serving its old template", () => {
  const status = statusIn(decide("deployments"))!;
  const changed = sketch("Deployment", {
    name: "web",
    generation: 2,
    spec: { ...workloads.deployments!.spec, template: podTemplate("next"), paused: true },
    status,
  });
  const plan = decideCounted(countedKinds.deployments!, facts(changed));
  expect(statusIn(plan)).toMatchObject({ observedGeneration: 2, replicas: 4, readyReplicas: 4 });
  expect(statusIn(plan)).not.toHaveProperty("updatedReplicas");
});

test("a Job that fails is over", () => {
  const status = statusIn(decide("jobs", { fault: fault("fail") }));
  expect(status).toMatchObject({
    failed: 2,
    conditions: [{ type: "FailureTarget" }, { type: "Failed", reason: "BackoffLimitExceeded" }],
  });
});

test("a finished Job goes when its time to live is over", () => {
  const job = {
    ...workloads.jobs!,
    spec: { ...workloads.jobs!.spec, ttlSecondsAfterFinished: 10 },
    status: statusIn(decide("jobs"))!,
  };
  expect(decideCounted(countedKinds.jobs!, facts(job)).waitFor?.retryAfterMs).toBe(10_000);
  expect(printPlan(decideCounted(countedKinds.jobs!, facts(job, { nowMs: nowMs + 10_000 })))).toEqual([
    "delete Job web: its time to live is over",
  ]);
});
