import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Placement } from "#api/policy/placement.ts";
import { sketchCandidate, sketchSpec } from "#test/world/scheduling-sketch.ts";
import { comparePreference } from "./candidates.ts";
import { selectClusters } from "./select-clusters.ts";

type Constraints = NonNullable<Placement["spreadConstraints"]>;
const divided: Placement["replicaScheduling"] = {
  replicaSchedulingType: "Divided",
  replicaDivisionPreference: "Aggregated",
};
const byWeight: Placement["replicaScheduling"] = {
  replicaSchedulingType: "Divided",
  replicaDivisionPreference: "Weighted",
};

const candidates = [
  sketchCandidate("m1", { room: 40, score: 100, region: "eu" }),
  sketchCandidate("m2", { room: 30, region: "eu" }),
  sketchCandidate("m3", { room: 60, region: "us" }),
  sketchCandidate("m4", { room: 10, region: "asia" }),
];

interface Row {
  readonly constraints?: Constraints;
  readonly scheduling?: Placement["replicaScheduling"];
  readonly replicas?: number;
  readonly expect: string;
}

const cases: Record<string, Row> = {
  "without constraints all are taken, targets first, then by room": { expect: "all: m1 m3 m2 m4" },
  "clusters are taken up to the maximum": {
    constraints: [{ spreadByField: "cluster", minGroups: 1, maxGroups: 2 }],
    expect: "cluster: m1 m3",
  },
  "a maximum that is not set takes none": {
    constraints: [{ spreadByField: "cluster", minGroups: 1 }],
    expect: "cluster: ",
  },
  "a maximum that is not set leaves no room for replicas": {
    constraints: [{ spreadByField: "cluster", minGroups: 1 }],
    scheduling: divided,
    replicas: 1,
    expect: "no enough resource when selecting 0 clusters",
  },
  "fewer clusters than the minimum are too few": {
    constraints: [{ spreadByField: "cluster", minGroups: 5, maxGroups: 9 }],
    expect: "the number of feasible clusters is less than spreadConstraint.MinGroups",
  },
  "the last choice makes place for a roomier cluster": {
    constraints: [{ spreadByField: "cluster", minGroups: 1, maxGroups: 1 }],
    scheduling: divided,
    replicas: 50,
    expect: "cluster: m3",
  },
  "room that no choice has": {
    constraints: [{ spreadByField: "cluster", minGroups: 1, maxGroups: 2 }],
    scheduling: divided,
    replicas: 101,
    expect: "no enough resource when selecting 2 clusters",
  },
  "fixed weights ignore constraints": {
    constraints: [{ spreadByField: "cluster", minGroups: 9, maxGroups: 9 }],
    scheduling: byWeight,
    expect: "all: m1 m3 m2 m4",
  },
  "an empty weight preference does not": {
    constraints: [{ spreadByField: "cluster", minGroups: 1, maxGroups: 1 }],
    scheduling: { ...byWeight, weightPreference: {} },
    expect: "cluster: m1",
  },
  "zones alone select nothing": {
    constraints: [{ spreadByField: "zone", minGroups: 1, maxGroups: 1 }],
    expect: "just support cluster and region spread constraint",
  },
  "each region gives its best, the rest follows by preference": {
    constraints: [
      { spreadByField: "region", minGroups: 2, maxGroups: 2 },
      { spreadByField: "cluster", minGroups: 1, maxGroups: 3 },
    ],
    replicas: 20,
    expect: "region: m1 m3 m2",
  },
  "without a number of clusters each region gives one": {
    constraints: [{ spreadByField: "region", minGroups: 2, maxGroups: 2 }],
    replicas: 20,
    expect: "region: m1 m3",
  },
  "fewer regions than the minimum are too few": {
    constraints: [{ spreadByField: "region", minGroups: 4, maxGroups: 4 }],
    expect: "the number of feasible region is less than spreadConstraint.MinGroups",
  },
  "regions without enough clusters are too few": {
    constraints: [
      { spreadByField: "region", minGroups: 1, maxGroups: 1 },
      { spreadByField: "cluster", minGroups: 3, maxGroups: 3 },
    ],
    expect: "the number of clusters is less than the cluster spreadConstraint.MinGroups",
  },
};

test.each(Object.entries(cases))("%s", (_, { constraints, scheduling, replicas = 0, expect: expected }) => {
  const placement: Placement = {
    ...(constraints !== undefined && { spreadConstraints: constraints }),
    ...(scheduling !== undefined && { replicaScheduling: scheduling }),
  };
  const selection = selectClusters(candidates.toSorted(comparePreference), sketchSpec({ placement, replicas }));
  const { by, clusters, problem } = selection;
  expect(problem ?? `${by}: ${clusters?.map(({ name }) => name).join(" ")}`).toBe(expected);
});

test("the order of preference does not depend on the order of clusters", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(candidates, { minLength: candidates.length }), (shuffled) => {
      expect(shuffled.toSorted(comparePreference)).toEqual(candidates.toSorted(comparePreference));
    }),
  );
});
