import { describe, expect, test } from "vitest";
import type { GracefulEvictionTask } from "#api/work/graceful-eviction-task.ts";
import type { BindingSpec, BindingStatus } from "#api/work/resource-binding.ts";
import { formatTime } from "#base/clock.ts";
import { sketchBinding } from "#test/world/scheduling-sketch.ts";
import { decideTasks } from "./decide-tasks.ts";

const nowMs = Date.UTC(2026, 10, 15);
const ago = (seconds: number) => formatTime(nowMs - seconds * 1_000);
const base: GracefulEvictionTask = { fromCluster: "m1", reason: "TaintUntolerated", producer: "TaintManager" };
const young = { ...base, creationTimestamp: ago(60) };
const old = { ...base, creationTimestamp: ago(601) };

type Health = "Healthy" | "Unhealthy" | "Unknown";

interface Row {
  readonly task: GracefulEvictionTask;
  readonly spec?: Partial<BindingSpec>;
  /** How m2 fares, which runs so many replicas. */
  readonly health?: Health;
  readonly running?: number;
  readonly observed?: number;
  readonly scheduled?: "True" | "False";
  readonly keepsOnlyCopies?: boolean;
  /** Whether scheduling finds clusters for what the binding says now. */
  readonly fits?: boolean;
  /** Whether m1 has no copy any more. */
  readonly gone?: boolean;
  readonly expect: "ends" | "waits" | "overdue" | number;
}

const rows: Readonly<Record<string, Row>> = {
  "its replacement serves": { task: young, health: "Healthy", expect: "ends" },
  "its replacement is not healthy yet": { task: young, health: "Unhealthy", expect: 540 },
  "nothing is known of its replacement": { task: young, expect: 540 },
  "the report is older than the eviction": { task: young, health: "Healthy", running: 1, expect: 540 },
  "a kind that has no replicas": { task: young, health: "Healthy", running: Number.NaN, expect: "ends" },
  "the scheduler has not seen it yet": { task: young, health: "Healthy", observed: 1, expect: 540 },
  "its time is up": { task: old, health: "Unhealthy", expect: "ends" },
  "its time is up, and nothing was sent to its replacement": { task: old, expect: "waits" },
  "its time is up, and it went before its replacement is sent": { task: old, gone: true, expect: "ends" },
  "its time is up, whatever was sent, as in Karmada": { task: old, keepsOnlyCopies: false, expect: "ends" },
  "its time is up, and nowhere fits what it says now": {
    task: old,
    health: "Healthy",
    observed: 1,
    fits: false,
    expect: "overdue",
  },
  "its own time is longer": { task: { ...old, gracePeriodSeconds: 700 }, expect: 99 },
  "its own time is shorter": { task: { ...young, gracePeriodSeconds: 30 }, health: "Unknown", expect: "ends" },
  "someone says that it stays": { task: { ...old, suppressDeletion: true }, health: "Healthy", expect: "waits" },
  "someone says that it goes": { task: { ...young, suppressDeletion: false }, expect: "ends" },
  "someone says that it goes while dispatching is suspended": {
    task: { ...young, suppressDeletion: false },
    spec: { suspension: { dispatching: true } },
    expect: "ends",
  },
  "dispatching is suspended": {
    task: old,
    spec: { suspension: { suspendDispatching: true } },
    health: "Healthy",
    expect: "waits",
  },
  "dispatching to where it is is suspended": {
    task: old,
    spec: { suspension: { dispatchingOnClusters: { clusterNames: ["m1"] } } },
    expect: "waits",
  },
  "dispatching to where it goes is suspended": {
    task: old,
    spec: { suspension: { suspendDispatchingOnClusters: { clusterNames: ["m2"] } } },
    expect: "waits",
  },
  "nothing replaces it": { task: old, spec: { clusters: [] }, expect: "overdue" },
  "not all of it is replaced": { task: old, scheduled: "False", expect: "overdue" },
  "nothing replaces it, as in Karmada": {
    task: old,
    spec: { clusters: [] },
    keepsOnlyCopies: false,
    expect: "ends",
  },
  "nobody said when it began": { task: base, expect: 600 },
};

for (const kind of ["ResourceBinding", "ClusterResourceBinding"] as const)
  describe(kind, () => {
    test.each(Object.entries(rows))("%s", (_, row) => {
      const { task, spec = {}, keepsOnlyCopies = true, fits = true, expect: expected } = row;
      const binding = sketchBinding({
        kind,
        generation: 2,
        spec: { clusters: [{ name: "m2", replicas: 3 }], gracefulEvictionTasks: [task], ...spec },
        status: statusOf(row),
      });
      const { kept, ended, overdue, nextMs } = decideTasks({
        binding,
        nowMs,
        timeoutMs: 600_000,
        keepsOnlyCopies,
        fits: () => fits,
      });
      const fate =
        ended.length > 0
          ? "ends"
          : overdue.length > 0
            ? "overdue"
            : nextMs === undefined
              ? "waits"
              : (nextMs - nowMs) / 1_000;
      expect(fate).toBe(expected);
      const dated = { ...task, creationTimestamp: task.creationTimestamp ?? formatTime(nowMs) };
      expect(kept).toEqual(expected === "ends" ? [] : [dated]);
    });
  });

test("each task has its own fate, and the next limit is the earliest", () => {
  const tasks = [
    { ...young, fromCluster: "m3" },
    { ...old, fromCluster: "m4" },
    { ...young, fromCluster: "m5", gracePeriodSeconds: 61 },
  ];
  const binding = sketchBinding({
    spec: { clusters: [{ name: "m2" }], gracefulEvictionTasks: tasks },
    status: statusOf({ task: old, health: "Unhealthy", expect: "ends" }),
  });
  const verdict = decideTasks({
    binding,
    nowMs,
    timeoutMs: 600_000,
    keepsOnlyCopies: true,
    fits: () => true,
  });
  expect(verdict.kept.map(({ fromCluster }) => fromCluster)).toEqual(["m3", "m5"]);
  expect(verdict.ended).toEqual(["m4"]);
  expect(verdict.nextMs).toBe(nowMs + 1_000);
});

function statusOf({ health, running = 3, observed = 2, scheduled = "True", gone = false }: Row): BindingStatus {
  const status = Number.isNaN(running) ? {} : { status: { replicas: running } };
  return {
    schedulerObservedGeneration: observed,
    conditions: [{ type: "Scheduled", status: scheduled, reason: "r", message: "", lastTransitionTime: ago(0) }],
    aggregatedStatus: [
      ...(gone ? [] : [{ clusterName: "m1" }]),
      ...(health === undefined ? [] : [{ clusterName: "m2", health, ...status }]),
    ],
  };
}
