import { expect, test } from "vitest";
import { memberResources } from "#simulator/member-resources.ts";
import type { SimulatedObject } from "#simulator/simulated-object.ts";
import {
  nowMs,
  podTemplate,
  printPlan,
  runningPod,
  type Sketch,
  sketch,
  statusIn,
} from "#test/world/simulated-objects.ts";
import { decideReplicaSet, type ReplicaSetFacts } from "./decide-replica-set.ts";

const labels = { app: "web" };
const set = (given: Sketch = {}) =>
  sketch("ReplicaSet", {
    name: "rs",
    ...given,
    spec: { replicas: 2, selector: { matchLabels: labels }, template: podTemplate(), ...given.spec },
  });
const owner = set();
const pod = (name: string, given: Parameters<typeof runningPod>[0] = {}) =>
  runningPod({ name, labels, owner, ...given });

interface Row {
  readonly reason: string;
  readonly set?: SimulatedObject;
  readonly pods: readonly SimulatedObject[];
  readonly orphans?: readonly SimulatedObject[];
  readonly expect: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  "no pod yet": { reason: "all are missing", pods: [], expect: ["create Pod rs-*", "create Pod rs-*"] },
  "one pod is going": {
    reason: "a pod on its way out is replaced at once",
    pods: [pod("a"), pod("b", { deleted: true })],
    expect: ["create Pod rs-*"],
  },
  "one pod has failed": {
    reason: "an ended pod does not count",
    pods: [pod("a"), pod("b", { status: { phase: "Failed" } })],
    expect: ["create Pod rs-*"],
  },
  "one too many": {
    reason: "the one that is not ready is missed least",
    pods: [pod("a"), pod("b", { ready: false }), pod("c")],
    expect: ["delete Pod b: more replicas than asked for"],
  },
  "one too many on a crowded node": {
    reason: "nodes are evened out",
    pods: [pod("a", { node: "n1" }), pod("b", { node: "n2" }), pod("c", { node: "n2" })],
    expect: ["delete Pod b: more replicas than asked for"],
  },
  "an orphan with the right labels": {
    reason: "it is adopted before anything is created",
    pods: [pod("a")],
    orphans: [runningPod({ name: "stray", labels }), runningPod({ name: "other", labels: { app: "db" } })],
    expect: ["patch Pod stray"],
  },
  "a pod whose labels were changed": {
    reason: "it is let go and replaced in the next turn",
    pods: [pod("a"), pod("b", { labels: { app: "debug" } })],
    expect: ["patch Pod b"],
  },
  "the set is being deleted": {
    reason: "nothing new for what goes",
    set: set({ deleted: true }),
    pods: [],
    expect: ["status ReplicaSet rs"],
  },
  "as many as asked for": {
    reason: "the status is what is left",
    pods: [pod("a"), pod("b")],
    expect: ["status ReplicaSet rs"],
  },
};

function facts(given: Partial<ReplicaSetFacts>): ReplicaSetFacts {
  return { resource: memberResources.replicaSets, set: owner, pods: [], orphans: [], nowMs, ...given };
}

for (const [name, { reason, expect: expected, ...given }] of Object.entries(rows)) {
  test(name, () => expect(printPlan(decideReplicaSet(facts(given))), reason).toEqual(expected));
}

test("the status counts ready and available pods and leaves out what is zero", () => {
  const plan = decideReplicaSet(facts({ pods: [pod("a"), pod("b", { ready: false })] }));
  expect(statusIn(plan)).toEqual({
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: 1,
  });
  const starting = decideReplicaSet(facts({ pods: [pod("a", { ready: false }), pod("b", { ready: false })] }));
  expect(statusIn(starting)).toEqual({ replicas: 2, fullyLabeledReplicas: 2, observedGeneration: 1 });
});

test("a pod is available when it has been ready for minReadySeconds, and the set comes back then", () => {
  const patient = set({ spec: { minReadySeconds: 90 } });
  const plan = decideReplicaSet(facts({ set: patient, pods: [pod("a"), pod("b")] }));
  expect(statusIn(plan)).toMatchObject({ readyReplicas: 2 });
  expect(statusIn(plan)).not.toHaveProperty("availableReplicas");
  expect(plan.waitFor?.retryAfterMs).toBe(30_000);
  const later = decideReplicaSet(facts({ set: patient, pods: [pod("a"), pod("b")], nowMs: nowMs + 30_000 }));
  expect(statusIn(later)).toMatchObject({ availableReplicas: 2 });
  expect(later.waitFor).toBeUndefined();
});

test("a ReplicationController has its selector as plain labels", () => {
  const controller = sketch("ReplicationController", {
    name: "rs",
    spec: { replicas: 1, selector: labels, template: podTemplate() },
  });
  const given = facts({
    resource: memberResources.replicationControllers,
    set: controller,
    orphans: [runningPod({ name: "stray", labels })],
  });
  expect(printPlan(decideReplicaSet(given))).toEqual(["patch Pod stray"]);
});
