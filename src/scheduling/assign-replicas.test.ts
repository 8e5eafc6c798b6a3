import { expect, test } from "vitest";
import type { Placement } from "#api/policy/placement.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { printShares, sketchCandidate, sketchSpec } from "#test/world/scheduling-sketch.ts";
import { assignReplicas } from "./assign-replicas.ts";

type ReplicaScheduling = NonNullable<Placement["replicaScheduling"]>;
const weighted = (weightPreference?: ReplicaScheduling["weightPreference"]): Placement => ({
  replicaScheduling: {
    replicaSchedulingType: "Divided",
    replicaDivisionPreference: "Weighted",
    ...(weightPreference !== undefined && { weightPreference }),
  },
});
const rules = (...weights: (readonly [string, number])[]) =>
  weighted({
    staticWeightList: weights.map(([name, weight]) => ({ targetCluster: { clusterNames: [name] }, weight })),
  });
const aggregated: Placement = {
  replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
};

const cases: Record<string, { placement: Placement; spec?: Partial<BindingSpec>; expect: string }> = {
  "without replicaScheduling every cluster gets all": { placement: {}, spec: { replicas: 3 }, expect: "a:3 b:3 c:3" },
  "duplicating does not ask for room": {
    placement: { replicaScheduling: { replicaSchedulingType: "Duplicated" } },
    spec: { replicas: 300 },
    expect: "a:300 b:300 c:300",
  },
  "weights that are not given are equal": { placement: weighted(), spec: { replicas: 6 }, expect: "a:2 b:2 c:2" },
  "fewer replicas than clusters leave clusters out": {
    placement: weighted(),
    spec: { replicas: 2 },
    expect: "a:1 b:1",
  },
  "a cluster that no weight selects gets nothing": {
    placement: rules(["a", 1], ["b", 2]),
    spec: { replicas: 9 },
    expect: "a:3 b:6",
  },
  "weights that select nobody are as good as none": {
    placement: rules(["x", 5]),
    spec: { replicas: 3 },
    expect: "a:1 b:1 c:1",
  },
  "the largest of several weights counts": {
    placement: rules(["a", 1], ["a", 3], ["b", 1]),
    spec: { replicas: 4 },
    expect: "a:3 b:1",
  },
  "fixed weights forget the previous result": {
    placement: rules(["a", 1], ["b", 1]),
    spec: { replicas: 4, clusters: [{ name: "a", replicas: 4 }] },
    expect: "a:2 b:2",
  },
  "a dynamic weight comes before fixed ones": {
    placement: weighted({ dynamicWeight: "AvailableReplicas", staticWeightList: [{ targetCluster: {}, weight: 1 }] }),
    spec: { replicas: 9 },
    expect: "a:5 b:2 c:2",
  },
  "what runs nothing goes to every cluster": { placement: aggregated, expect: "a b c" },
  "a workload at zero that says what it needs goes nowhere": {
    placement: aggregated,
    spec: { replicaRequirements: {} },
    expect: "",
  },
  "a workload of several components goes whole to every cluster": {
    placement: aggregated,
    spec: { replicas: 4, components: ["x", "y"].map((name) => ({ name, replicas: 2 })) },
    expect: "a b c",
  },
  "a strategy that is not known is refused in full": {
    placement: { replicaScheduling: { replicaSchedulingType: "Divided" } },
    spec: { replicas: 1 },
    expect:
      "SchedulerError: unsupported replica scheduling strategy, replicaSchedulingType: Divided, replicaDivisionPreference: , please try another scheduling strategy",
  },
  "too little room is unschedulable": {
    placement: aggregated,
    spec: { replicas: 99 },
    expect: "Unschedulable: failed to scale up: Clusters available replicas 18 are not enough to schedule.",
  },
};

const candidates = [
  sketchCandidate("c", { room: 3 }),
  sketchCandidate("a", { room: 10 }),
  sketchCandidate("b", { room: 5 }),
];

test.each(Object.entries(cases))("%s", (_, { placement, spec, expect: expected }) => {
  const { targets, failure } = assignReplicas({
    candidates,
    spec: sketchSpec({ placement, ...spec }),
    fresh: false,
    overflows: false,
  });
  expect(failure === undefined ? printShares(targets) : `${failure.reason}: ${failure.message}`).toBe(expected);
});

test("no candidates is an error of the scheduler", () => {
  const { failure } = assignReplicas({ candidates: [], spec: sketchSpec(), fresh: false, overflows: false });
  expect(failure).toEqual({ reason: "SchedulerError", message: "no clusters available to schedule" });
});

const tiers = [
  sketchCandidate("home", { room: 2, running: 3, tier: 0 }),
  sketchCandidate("near", { room: 4, running: 2, tier: 1 }),
  sketchCandidate("far", { room: 9, tier: 2 }),
];
const overflowing: Record<string, { replicas: number; expect: string }> = {
  "the first tier is used alone while it has room": { replicas: 5, expect: "home:5" },
  "the next tier takes what is left over": { replicas: 8, expect: "home:5 near:3" },
  "the last tier takes the rest": { replicas: 13, expect: "far:2 home:5 near:6" },
  "scaling down empties the last tier first": { replicas: 4, expect: "home:4" },
  "what fits into no tier is unschedulable, without a number": {
    replicas: 21,
    expect: "Unschedulable: Clusters available replicas are not enough to schedule.",
  },
};

test.each(Object.entries(overflowing))("overflow: %s", (_, { replicas, expect: expected }) => {
  const clusters = [
    { name: "home", replicas: 3 },
    { name: "near", replicas: 2 },
  ];
  const spec = sketchSpec({ placement: aggregated, replicas, clusters });
  const { targets, failure } = assignReplicas({ candidates: tiers, spec, fresh: false, overflows: true });
  expect(failure === undefined ? printShares(targets) : `${failure.reason}: ${failure.message}`).toBe(expected);
});
