import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import { decideClusterStatus } from "#controllers/cluster-status/decide-cluster-status.ts";
import { summarize } from "#controllers/cluster-status/resource-summary.ts";
import { decideCluster } from "./decide-cluster.ts";

const cluster = (more: { metadata?: object; spec?: object; status?: object } = {}): Cluster =>
  ({
    metadata: { name: "paris", finalizers: ["karmada.io/cluster-controller"], ...more.metadata },
    spec: { syncMode: "Push", ...more.spec },
    status: { ...more.status },
  }) as unknown as Cluster;
const ready = (status: string) => ({
  conditions: [{ type: "Ready", status, reason: "r", message: "m", lastTransitionTime: "t0" }],
});
const steps = (each: Cluster, executionNamespace: "absent" | "active" | "terminating" = "active") =>
  decideCluster({ cluster: each, executionNamespace, taintPolicies: [], now: "t1" }).steps.map((step) => step.do);

test("a new cluster is held first, then gets its execution namespace", () => {
  expect(steps(cluster({ metadata: { finalizers: [] } }), "absent")).toEqual(["addFinalizer"]);
  expect(steps(cluster(), "absent")).toEqual(["createExecutionNamespace"]);
  expect(steps(cluster())).toEqual([]);
});

test("health taints come and go; the users' own stay", () => {
  const own = { key: "gpu", effect: "NoSchedule" };
  const sick = decideCluster({
    cluster: cluster({ spec: { taints: [own] }, status: ready("False") }),
    executionNamespace: "active",
    taintPolicies: [],
    now: "t1",
  });
  expect(sick.steps).toEqual([
    { do: "setTaints", taints: [own, { key: "cluster.karmada.io/not-ready", effect: "NoSchedule", timeAdded: "t1" }] },
  ]);
  const tainted = { taints: [own, { key: "cluster.karmada.io/not-ready", effect: "NoSchedule", timeAdded: "t1" }] };
  expect(steps(cluster({ spec: tainted, status: ready("False") })), "once is enough").toEqual([]);
  expect(
    decideCluster({
      cluster: cluster({ spec: tainted, status: ready("True") }),
      executionNamespace: "active",
      taintPolicies: [],
      now: "t2",
    }).steps,
  ).toEqual([{ do: "setTaints", taints: [own] }]);
});

test("a cluster that leaves takes its works along before it goes", () => {
  const leaving = { metadata: { deletionTimestamp: "t" } };
  expect(steps(cluster(leaving), "active")).toEqual(["deleteExecutionNamespace"]);
  expect(steps(cluster(leaving), "terminating")).toEqual([]);
  expect(steps(cluster(leaving), "absent")).toEqual(["removeFinalizer"]);
});

test("Ready turns only after the member said otherwise for long enough", () => {
  const facts = {
    cluster: cluster({ status: ready("True") }),
    health: "unreachable" as const,
    version: undefined,
    resources: undefined,
    summary: undefined,
    thresholds: { failureMs: 30_000, successMs: 0 },
    now: "t1",
  };
  expect(decideClusterStatus({ ...facts, differentForMs: 10_000 })).toBeUndefined();
  expect(decideClusterStatus({ ...facts, differentForMs: 30_000 })?.conditions?.[0]).toMatchObject({
    status: "False",
    reason: "ClusterNotReachable",
    lastTransitionTime: "t1",
  });
  expect(
    decideClusterStatus({ ...facts, cluster: cluster(), differentForMs: 0 })?.conditions?.[0],
    "a first report counts at once",
  ).toMatchObject({ status: "False" });
});

test("a member that is well again is ready at once, or after it has been so for as long as was asked for", () => {
  const facts = {
    cluster: cluster({ status: ready("False") }),
    health: "ok" as const,
    version: undefined,
    resources: undefined,
    summary: undefined,
    now: "t1",
  };
  const after = (differentForMs: number, successMs: number) =>
    decideClusterStatus({ ...facts, differentForMs, thresholds: { failureMs: 30_000, successMs } })?.conditions?.[0];
  expect(after(0, 0)).toMatchObject({ status: "True", reason: "ClusterReady" });
  expect(after(10_000, 30_000)).toBeUndefined();
  expect(after(30_000, 30_000)).toMatchObject({ status: "True" });
});

test("a member that refuses our credentials is not ready, and says why", () => {
  const facts = {
    cluster: cluster({ status: ready("True") }),
    health: "refused" as const,
    version: undefined,
    resources: undefined,
    summary: undefined,
    differentForMs: 30_000,
    thresholds: { failureMs: 30_000, successMs: 0 },
    now: "t1",
  };
  expect(decideClusterStatus(facts)?.conditions?.[0]).toMatchObject({
    status: "False",
    reason: "ClusterCredentialsRefused",
    message: expect.stringContaining("401 or 403"),
  });
});

test("conditions of others stay (ruling 27), APIs are sorted, nothing new is no write", () => {
  const other = { type: "Other", status: "True", reason: "", message: "", lastTransitionTime: "t0" };
  const resources = [
    { group: "apps", version: "v1", resource: "statefulsets", kind: "StatefulSet", namespaced: true },
    { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", namespaced: true },
    { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true },
  ];
  const facts = {
    health: "ok" as const,
    version: "v1.36.0",
    resources,
    summary: undefined,
    differentForMs: 0,
    thresholds: { failureMs: 30_000, successMs: 0 },
  };
  const status = decideClusterStatus({ ...facts, cluster: cluster({ status: { conditions: [other] } }), now: "t1" })!;
  expect(status.conditions?.map(({ type, status: value }) => `${type} ${value}`)).toEqual([
    "Other True",
    "Ready True",
    "CompleteAPIEnablements True",
  ]);
  expect(
    status.apiEnablements?.map(({ groupVersion, resources: list = [] }) => [
      groupVersion,
      ...list.map(({ name }) => name),
    ]),
  ).toEqual([
    ["apps/v1", "deployments", "statefulsets"],
    ["v1", "pods"],
  ]);
  expect(decideClusterStatus({ ...facts, cluster: cluster({ status }), now: "t2" })).toBeUndefined();
});

test("a summary adds up nodes and pods", () => {
  const node = (name: string, value: string) => ({
    metadata: { name },
    status: { allocatable: { cpu: "4", memory: "8Gi", pods: "110" }, conditions: [{ type: "Ready", status: value }] },
  });
  const pod = (nodeName: string | undefined, cpu: string, phase = "Running") => ({
    spec: {
      nodeName,
      containers: [{ resources: { requests: { cpu } } }],
      initContainers: [{ resources: { requests: { cpu: "100m" } } }],
    },
    status: { phase },
  });
  const models = [
    { grade: 0, ranges: [{ name: "cpu", min: "0", max: "2" }] },
    { grade: 1, ranges: [{ name: "cpu", min: "2", max: "9223372036854775807" }] },
  ];
  const summary = summarize({
    nodes: [node("a", "True"), node("b", "False")],
    pods: [pod("a", "2500m"), pod(undefined, "1"), pod("b", "9", "Succeeded")],
    models,
  });
  expect(summary).toEqual({
    nodeSummary: { totalNum: 2, readyNum: 1 },
    resourceSummary: {
      allocatable: { cpu: "8", memory: "16Gi", pods: "220" },
      allocating: { cpu: "1", pods: "1" },
      allocated: { cpu: "2500m", pods: "1" },
      allocatableModelings: [
        { grade: 0, count: 1 },
        { grade: 1, count: 1 },
      ],
    },
  });
});
