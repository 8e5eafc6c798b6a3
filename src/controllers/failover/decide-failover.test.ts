import { describe, expect, test } from "vitest";
import type { Taint } from "#api/core/taint.ts";
import type { Placement } from "#api/policy/placement.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { formatTime } from "#base/clock.ts";
import { takeSnapshot } from "#scheduling/cluster-facts.ts";
import { decideSchedule } from "#scheduling/decide-schedule.ts";
import { sketchBinding, sketchCluster } from "#test/world/scheduling-sketch.ts";
import { decideFailover, type FailoverOptions, isAboutToMove } from "./decide-failover.ts";

const nowMs = Date.UTC(2026, 10, 15);
const added = formatTime(nowMs - 60_000);
const broken: Taint = { key: "broken", effect: "NoExecute", timeAdded: added };
const divided: Placement = {
  replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
};
const application: BindingSpec["failover"] = {
  application: { decisionConditions: { tolerationSeconds: 30 }, purgeMode: "Gracefully", gracePeriodSeconds: 60 },
};

interface Row {
  readonly spec?: Partial<BindingSpec>;
  readonly on?: readonly string[];
  /** By cluster; there are m1, m2 and m3. */
  readonly taints?: Readonly<Record<string, readonly Taint[]>>;
  readonly unhealthy?: Readonly<Record<string, number>>;
  readonly options?: Partial<FailoverOptions>;
  readonly pods?: number;
  readonly unclaimed?: boolean;
  /** The kind of the verdict, then the targets, then the tasks; or why nothing moves. */
  readonly expect: string;
  readonly nextInMs?: number;
}

const rows: Readonly<Record<string, Row>> = {
  "nothing is wrong": { expect: "stays" },
  "a taint that nothing tolerates": { taints: { m1: [broken] }, expect: "moves m2:4 | m1 Gracefully TaintUntolerated" },
  "a taint that only keeps away": { taints: { m1: [{ ...broken, effect: "NoSchedule" }] }, expect: "stays" },
  "a taint of a cluster that it is not on": { taints: { m2: [broken] }, expect: "stays" },
  "tolerated for ever": {
    spec: { placement: { ...divided, clusterTolerations: [{ operator: "Exists" }] } },
    taints: { m1: [broken] },
    expect: "stays",
  },
  "tolerated for some time yet": {
    spec: { placement: { ...divided, clusterTolerations: [{ operator: "Exists", tolerationSeconds: 90 }] } },
    taints: { m1: [broken] },
    expect: "stays",
    nextInMs: 30_000,
  },
  "tolerated until now": {
    spec: { placement: { ...divided, clusterTolerations: [{ operator: "Exists", tolerationSeconds: 60 }] } },
    taints: { m1: [broken] },
    expect: "moves m2:4 | m1 Gracefully TaintUntolerated",
  },
  "the earliest limit of several taints counts": {
    spec: {
      placement: {
        ...divided,
        clusterTolerations: [
          { key: "broken", operator: "Exists" },
          { key: "slow", operator: "Exists", tolerationSeconds: 70 },
        ],
      },
    },
    taints: { m1: [broken, { ...broken, key: "slow" }] },
    expect: "stays",
    nextInMs: 10_000,
  },
  "purged as the policy says": {
    spec: { failover: { cluster: { purgeMode: "Directly" } } },
    taints: { m1: [broken] },
    expect: "moves m2:4 | m1 Directly TaintUntolerated",
  },
  "ungracefully, a taint leaves no task behind": {
    options: { graceful: false },
    taints: { m1: [broken] },
    expect: "moves m2:4 |",
  },
  "two clusters are left together": {
    on: ["m1", "m2"],
    taints: { m1: [broken], m2: [broken] },
    expect: "moves m3:4 | m1 Gracefully TaintUntolerated, m2 Gracefully TaintUntolerated",
  },
  "nowhere to go": {
    taints: { m1: [broken], m2: [broken], m3: [broken] },
    expect: "stranded 0/3 clusters are available: 3 cluster(s) had untolerated taint {broken:NoExecute}.",
  },
  "nowhere to go, as in Karmada": {
    options: { leavesForNowhere: true },
    taints: { m1: [broken], m2: [broken], m3: [broken] },
    expect: "moves | m1 Gracefully TaintUntolerated",
  },
  "no room elsewhere": {
    pods: 1,
    taints: { m1: [broken] },
    expect:
      "stranded failed to assign replicas: failed to scale up: Clusters available replicas 2 are not enough to schedule.",
  },
  "dispatching is suspended": {
    spec: { suspension: { suspendDispatching: true } },
    taints: { m1: [broken] },
    expect: "stays",
  },
  "dispatching to that cluster is suspended": {
    spec: { suspension: { dispatchingOnClusters: { clusterNames: ["m1"] } } },
    taints: { m1: [broken] },
    expect: "stays",
  },
  "dispatching to another cluster is suspended": {
    spec: { suspension: { dispatchingOnClusters: { clusterNames: ["m3"] } } },
    taints: { m1: [broken] },
    expect: "moves m2:4 | m1 Gracefully TaintUntolerated",
  },
  "scheduling is suspended": {
    spec: { suspension: { scheduling: true } },
    taints: { m1: [broken] },
    expect: "stays",
  },
  "nobody places it": { unclaimed: true, taints: { m1: [broken] }, expect: "stays" },
  "another scheduler places it": { spec: { schedulerName: "other" }, taints: { m1: [broken] }, expect: "stays" },
  "unhealthy for too long": {
    spec: { failover: application, propagateDeps: true },
    unhealthy: { m1: 30_000 },
    expect: "moves m2:4 | m1 Gracefully ApplicationFailure 60s",
  },
  "unhealthy, but not for long": {
    spec: { failover: application, propagateDeps: true },
    unhealthy: { m1: 10_000 },
    expect: "stays",
    nextInMs: 20_000,
  },
  "unhealthy, and nobody asked for anything": { unhealthy: { m1: 30_000 }, expect: "stays" },
  "unhealthy, without its dependencies it would not run elsewhere": {
    spec: { failover: application },
    unhealthy: { m1: 30_000 },
    expect: "stays",
  },
  "unhealthy, to be kept": {
    spec: {
      propagateDeps: true,
      failover: { application: { decisionConditions: { tolerationSeconds: 0 }, purgeMode: "Never" } },
    },
    unhealthy: { m1: 0 },
    expect: "moves m2:4 | m1 Never ApplicationFailure suppressed",
  },
  "unhealthy, and nobody takes over": {
    spec: { failover: application, propagateDeps: true, placement: {} },
    on: ["m1", "m2", "m3"],
    unhealthy: { m1: 30_000 },
    expect: "stranded no other cluster takes over",
  },
};

for (const kind of ["ResourceBinding", "ClusterResourceBinding"] as const)
  describe(kind, () => {
    test.each(Object.entries(rows))("%s", (_, row) => {
      const verdict = decideFailover(factsOf(kind, row));
      expect(printed(verdict)).toBe(row.expect);
      expect(verdict.nextMs === undefined ? undefined : verdict.nextMs - nowMs).toBe(row.nextInMs);
    });
  });

test("who moves an application is named by the scope of its binding", () => {
  const producers = (["ResourceBinding", "ClusterResourceBinding"] as const).map((kind) => {
    const verdict = decideFailover(factsOf(kind, rows["unhealthy for too long"]!));
    return verdict.kind === "moves" ? verdict.tasks[0]?.producer : undefined;
  });
  expect(producers).toEqual([
    "resource-binding-application-failover-controller",
    "cluster-resource-binding-application-failover-controller",
  ]);
});

test("another group of clusters is left to the scheduler, which writes its name along", () => {
  const clusterAffinities = [
    { affinityName: "first", clusterNames: ["m1"] },
    { affinityName: "second", clusterNames: ["m2"] },
  ];
  const facts = factsOf("ResourceBinding", {
    spec: { placement: { ...divided, clusterAffinities } },
    taints: { m1: [broken] },
    expect: "",
  });
  const binding = { ...facts.binding, status: { schedulerObservingAffinityName: "first" } };
  expect(printed(decideFailover({ ...facts, binding }))).toBe("moves | m1 Gracefully TaintUntolerated");
});

test("a binding is about to move when it leaves now, or has left and is not placed yet", () => {
  const moves = (row: Omit<Row, "expect">) => isAboutToMove(factsOf("ResourceBinding", { ...row, expect: "" }));
  const leaving = { gracefulEvictionTasks: [{ fromCluster: "m1", reason: "TaintUntolerated", producer: "x" }] };
  expect(moves({})).toBe(false);
  expect(moves({ taints: { m1: [broken] } })).toBe(true);
  expect(moves({ taints: { m1: [broken] }, unclaimed: true })).toBe(false);
  expect(moves({ spec: { ...leaving, clusters: [] } as Partial<BindingSpec> })).toBe(true);
});

function factsOf(kind: "ResourceBinding" | "ClusterResourceBinding", row: Row) {
  const { spec = {}, on = ["m1"], taints = {}, unhealthy = {}, options = {}, pods = 100, unclaimed = false } = row;
  const clusters = ["m1", "m2", "m3"].map((name) =>
    sketchCluster({ name, pods, spec: { taints: taints[name] ?? [] } }),
  );
  const isDivided = (spec.placement ?? divided).replicaScheduling !== undefined;
  const sketch = sketchBinding({
    kind,
    spec: {
      placement: divided,
      replicas: 4,
      clusters: on.map((name) => ({ name, replicas: isDivided ? 4 / on.length : 4 })),
      ...spec,
    },
  });
  const labels = unclaimed ? {} : { "propagationpolicy.karmada.io/permanent-id": "p" };
  const binding = { ...sketch, metadata: { ...sketch.metadata, labels } };
  const snapshot = takeSnapshot(clusters);
  return {
    binding,
    clusters: new Map(clusters.map((cluster) => [cluster.metadata.name, cluster])),
    unhealthySinceMs: new Map(Object.entries(unhealthy).map(([name, agoMs]) => [name, nowMs - agoMs])),
    nowMs,
    options: { graceful: true, leavesForNowhere: false, ...options },
    schedule: (each: typeof binding) => {
      const decision = decideSchedule({ binding: each, clusters: snapshot, options: {}, now: formatTime(nowMs) });
      const { clusters: _, ...rest } = each.spec;
      const placed = {
        ...each,
        spec: decision.clusters === undefined ? rest : { ...rest, clusters: decision.clusters },
      };
      return { decision, placed };
    },
  } as unknown as Parameters<typeof decideFailover>[0]; // bindings of either kind
}

function printed(verdict: ReturnType<typeof decideFailover>): string {
  if (verdict.kind === "stays") return "stays";
  if (verdict.kind === "stranded") return `stranded ${verdict.why}`;
  const { clusters = [], gracefulEvictionTasks = [] } = verdict.binding.spec;
  const targets = clusters.map(({ name, replicas }) => ` ${name}:${replicas}`).join("");
  const tasks = gracefulEvictionTasks.map(({ fromCluster, purgeMode, reason, gracePeriodSeconds, suppressDeletion }) =>
    [
      fromCluster,
      purgeMode,
      reason,
      ...(gracePeriodSeconds === undefined ? [] : [`${gracePeriodSeconds}s`]),
      ...(suppressDeletion === true ? ["suppressed"] : []),
    ].join(" "),
  );
  return `moves${targets} |${tasks.length === 0 ? "" : ` ${tasks.join(", ")}`}`;
}
