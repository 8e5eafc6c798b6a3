import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Placement } from "#api/policy/placement.ts";
import type { BindingStatus } from "#api/work/resource-binding.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import {
  type BindingSketch,
  printShares,
  readShares,
  sketchBinding,
  sketchCluster,
} from "#test/world/scheduling-sketch.ts";
import { printPlacement } from "./applied-placement.ts";
import { takeSnapshot } from "./cluster-facts.ts";
import { decideSchedule, type ScheduleDecision, type ScheduleOptions } from "./decide-schedule.ts";

const now = "2026-08-01T12:00:00Z";
const before = "2026-01-01T00:00:00Z";
const aggregated: Placement = {
  clusterAffinity: { clusterNames: ["m1", "m2"] },
  replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
};
const nowhere: Placement = { ...aggregated, clusterAffinity: { clusterNames: ["zz"] } };
const groups: Placement = {
  clusterAffinities: [
    { affinityName: "small", clusterNames: ["tiny"] },
    { affinityName: "large", clusterNames: ["m1", "m2"] },
  ],
  replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
};
const succeeded: BindingStatus = {
  schedulerObservedGeneration: 1,
  lastScheduledTime: before,
  conditions: [
    {
      type: "Scheduled",
      status: "True",
      reason: "Success",
      message: "Binding has been scheduled successfully.",
      lastTransitionTime: before,
    },
  ],
};
const noFit: BindingStatus = {
  ...succeeded,
  conditions: [
    { type: "Scheduled", status: "False", reason: "NoClusterFit", message: "…", lastTransitionTime: before },
  ],
};

interface Row {
  readonly placement?: Placement;
  readonly applied?: Placement;
  readonly replicas?: number;
  readonly targets?: string;
  readonly binding?: BindingSketch;
  readonly status?: BindingStatus;
  readonly rescheduleAt?: string;
  readonly leaving?: string;
  readonly options?: ScheduleOptions;
  /** Trigger, targets, condition, group. */
  readonly expect: string;
}

const cases: Record<string, Row> = {
  "a new binding is scheduled": { placement: aggregated, replicas: 3, expect: "placement changed | m1:3 | Success" },
  "nothing has changed": {
    placement: aggregated,
    applied: aggregated,
    replicas: 3,
    targets: "m2:3",
    status: succeeded,
    expect: "- | m2:3 | Success",
  },
  "the number of replicas has changed": {
    placement: aggregated,
    applied: aggregated,
    replicas: 4,
    targets: "m2:3",
    status: succeeded,
    expect: "replicas changed | m2:4 | Success",
  },
  "a fresh schedule is asked for": {
    placement: {
      ...aggregated,
      replicaScheduling: {
        replicaSchedulingType: "Divided",
        replicaDivisionPreference: "Weighted",
        weightPreference: { dynamicWeight: "AvailableReplicas" },
      },
    },
    applied: {
      ...aggregated,
      replicaScheduling: {
        replicaSchedulingType: "Divided",
        replicaDivisionPreference: "Weighted",
        weightPreference: { dynamicWeight: "AvailableReplicas" },
      },
    },
    replicas: 4,
    targets: "m2:4",
    status: succeeded,
    rescheduleAt: now,
    expect: "reschedule requested | m1:2 m2:2 | Success",
  },
  "a fresh schedule that is asked for before the first one waits for a reason": {
    placement: aggregated,
    applied: aggregated,
    replicas: 3,
    targets: "m2:3",
    rescheduleAt: now,
    expect: "- | m2:3 | no condition",
  },
  "what runs no replicas follows the clusters at every cycle": {
    placement: { clusterAffinity: { clusterNames: ["m1", "m2"] } },
    applied: { clusterAffinity: { clusterNames: ["m1", "m2"] } },
    targets: "m1",
    status: succeeded,
    expect: "always scheduled | m1 m2 | Success",
  },
  "a target is leaving": {
    placement: aggregated,
    applied: aggregated,
    replicas: 3,
    targets: "m1:2 m2:1",
    leaving: "m1",
    status: succeeded,
    expect: "target leaving | m2:3 | Success",
  },
  "a target that is gone altogether is not noticed": {
    placement: aggregated,
    applied: aggregated,
    replicas: 3,
    targets: "gone:3",
    status: succeeded,
    expect: "- | gone:3 | Success",
  },
  "ruling 19: when no cluster fits, the targets stay": {
    placement: nowhere,
    applied: aggregated,
    replicas: 3,
    targets: "m1:2 m2:1",
    status: succeeded,
    expect: "placement changed | m1:2 m2:1 | NoClusterFit",
  },
  "ruling 19: of kept targets, those that are leaving go": {
    placement: nowhere,
    replicas: 3,
    targets: "m1:2 m2:1",
    leaving: "m1",
    status: succeeded,
    expect: "placement changed | m2:1 | NoClusterFit",
  },
  "ruling 24: when no target is left, the list is absent": {
    placement: nowhere,
    replicas: 3,
    targets: "m1:3",
    leaving: "m1",
    status: succeeded,
    expect: "placement changed | none | NoClusterFit",
  },
  "ruling 19: with the gate the targets are cleared": {
    placement: nowhere,
    applied: aggregated,
    replicas: 3,
    targets: "m1:2 m2:1",
    status: succeeded,
    options: { clearTargetsWhenNoFit: true },
    expect: "placement changed | none | NoClusterFit",
  },
  "ruling 19: kept targets are tried again, and a cluster that fits by now is found": {
    placement: aggregated,
    applied: aggregated,
    replicas: 3,
    targets: "m1:3",
    status: noFit,
    expect: "no cluster fitted | m1:3 | Success",
  },
  "too little room keeps the result and is tried again": {
    placement: aggregated,
    replicas: 900,
    targets: "m1:3",
    status: succeeded,
    expect: "placement changed | m1:3 | Unschedulable, again",
  },
  "the first group that has room is used": {
    placement: groups,
    replicas: 9,
    expect: "placement changed | m1:9 | Success | large",
  },
  "a group in use is not left for an earlier one": {
    placement: groups,
    applied: groups,
    replicas: 1,
    targets: "m1:9",
    status: { ...succeeded, schedulerObservingAffinityName: "large" },
    expect: "replicas changed | m1:1 | Success | large",
  },
  "a fresh schedule begins with the first group": {
    placement: groups,
    applied: groups,
    replicas: 1,
    targets: "m1:1",
    status: { ...succeeded, schedulerObservingAffinityName: "large" },
    rescheduleAt: now,
    expect: "reschedule requested | tiny:1 | Success | small",
  },
  "when all groups fail, the first failure decides and the group stays": {
    placement: groups,
    replicas: 900,
    targets: "m1:1",
    status: { ...succeeded, schedulerObservingAffinityName: "small" },
    expect: "placement changed | m1:1 | Unschedulable, again | small",
  },
  "a binding that is being deleted is left alone": {
    placement: nowhere,
    targets: "m1:3",
    binding: { leaving: true },
    expect: "- | m1:3 | no condition",
  },
  "a binding without placement is left alone": { targets: "m1:3", expect: "- | m1:3 | no condition" },
};

const kinds = ["ResourceBinding", "ClusterResourceBinding"] as const;

test.each(kinds.flatMap((kind) => Object.entries(cases).map(([name, row]) => [kind, name, row] as const)))(
  "%s: %s",
  (kind, _, row) => {
    expect(line(decide(row, kind))).toBe(row.expect);
  },
);

function decide(row: Row, kind: (typeof kinds)[number] = "ResourceBinding", shuffle = <T>(items: T[]): T[] => items) {
  const { placement, applied, replicas, targets, status, rescheduleAt, leaving } = row;
  const clusters = targets?.split(" ").map((each) => (each.includes(":") ? readShares(each)[0]! : { name: each }));
  const binding = sketchBinding({
    kind,
    ...(applied !== undefined && { applied: printPlacement(applied) }),
    ...(status !== undefined && { status }),
    spec: {
      ...(placement !== undefined && { placement }),
      ...(replicas !== undefined && { replicas }),
      ...(clusters !== undefined && { clusters }),
      ...(rescheduleAt !== undefined && { rescheduleTriggeredAt: rescheduleAt }),
    },
    ...row.binding,
  });
  const fleet = [
    sketchCluster({ name: "m1", leaving: leaving === "m1" }),
    sketchCluster({ name: "m2" }),
    sketchCluster({ name: "tiny", pods: 2 }),
  ];
  const snapshot = takeSnapshot(deepFreeze(shuffle(fleet)));
  return decideSchedule({ binding: deepFreeze(binding), clusters: snapshot, options: row.options ?? {}, now });
}

function line({ trigger, clusters, status, retry }: ScheduleDecision): string {
  const reason = status?.conditions?.[0]?.reason ?? "no condition";
  const group = status?.schedulerObservingAffinityName;
  const parts = [trigger?.name ?? "-", printShares(clusters), `${reason}${retry ? ", again" : ""}`];
  return [...parts, ...(group === undefined ? [] : [group])].join(" | ");
}

test("success notes the generation and the time, and moves the transition only when the status does", () => {
  const again = decide({ placement: aggregated, replicas: 3, status: succeeded, expect: "" });
  expect(again.status).toEqual({ ...succeeded, schedulerObservedGeneration: 2, lastScheduledTime: now });
  const recovered = decide({ placement: aggregated, replicas: 3, status: noFit, expect: "" });
  expect(recovered.status?.conditions?.[0]).toMatchObject({ status: "True", lastTransitionTime: now });
});

test("failure notes neither the generation nor the time, and says why in full", () => {
  const { status, appliedPlacement } = decide({ placement: nowhere, replicas: 3, status: succeeded, expect: "" });
  expect(status).toMatchObject({ schedulerObservedGeneration: 1, lastScheduledTime: before });
  expect(status?.conditions).toEqual([
    {
      type: "Scheduled",
      status: "False",
      reason: "NoClusterFit",
      message: "0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.",
      lastTransitionTime: now,
    },
  ]);
  expect(appliedPlacement).toBe(printPlacement(nowhere));
});

test("conditions of others stay as they are", () => {
  const applied = {
    type: "FullyApplied",
    status: "True",
    reason: "X",
    message: "",
    lastTransitionTime: before,
  } as const;
  const { status } = decide({ placement: aggregated, replicas: 3, status: { conditions: [applied] }, expect: "" });
  expect(status?.conditions?.map(({ type }) => type)).toEqual(["FullyApplied", "Scheduled"]);
  expect(status?.conditions?.[0]).toEqual(applied);
});

test("every step says what it did", () => {
  const { attempts } = decide({ placement: groups, replicas: 9, expect: "" });
  expect(attempts.map(({ affinityName, failure }) => [affinityName, failure?.reason])).toEqual([
    ["small", "Unschedulable"],
    ["large", undefined],
  ]);
  const [small, large] = attempts;
  expect(small?.exclusions().map(({ cluster, filter }) => `${cluster} ${filter}`)).toEqual([
    "m1 ClusterAffinity",
    "m2 ClusterAffinity",
  ]);
  expect(small?.assigned?.divisions?.[0]?.shortOf).toEqual({ room: 2, needed: 9 });
  expect(large?.candidates.map(({ name, allocatable }) => [name, allocatable])).toEqual([
    ["m1", 100],
    ["m2", 100],
  ]);
  expect(large?.selection?.by).toBe("all");
  expect(large?.assigned).toMatchObject({ strategy: "Aggregated", divisions: [{ step: "scale up" }] });
});

test("the order in which clusters are listed does not matter", () => {
  const rows = fc.constantFrom(...Object.values(cases));
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
  fc.assert(
    fc.property(rows, order, (row, indexes) => {
      const shuffled = decide(row, "ResourceBinding", (items) => indexes.map((index) => items[index]!));
      expect(JSON.stringify(shuffled)).toBe(JSON.stringify(decide(row)));
    }),
  );
});

test("a second cycle over the result of the first changes nothing but the time", () => {
  for (const row of Object.values(cases).filter(({ placement }) => placement !== undefined)) {
    const first = decide(row);
    const binding = sketchBinding({
      ...(first.appliedPlacement !== undefined && { applied: first.appliedPlacement }),
      ...(first.status !== undefined && { status: first.status }),
      spec: {
        placement: row.placement!,
        ...(row.replicas !== undefined && { replicas: row.replicas }),
        ...(first.clusters !== undefined && { clusters: first.clusters }),
      },
    });
    const clusters = takeSnapshot(
      ["m1", "m2", "tiny"].map((name) =>
        sketchCluster({ name, pods: name === "tiny" ? 2 : 100, leaving: row.leaving === name }),
      ),
    );
    const second = decideSchedule({ binding, clusters, options: row.options ?? {}, now });
    expect(printShares(second.clusters)).toBe(printShares(first.clusters));
  }
});
