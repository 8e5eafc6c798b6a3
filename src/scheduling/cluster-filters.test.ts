import { expect, test } from "vitest";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { type ClusterSketch, sketchCluster, sketchSpec } from "#test/world/scheduling-sketch.ts";
import { affinityTiers } from "./affinity-tiers.ts";
import { clusterFacts } from "./cluster-facts.ts";
import { compileFilters, noFitMessage } from "./cluster-filters.ts";

const tainted = { taints: [{ key: "k", value: "v", effect: "NoSchedule" }] };
const target = { clusters: [{ name: "m1" }] };

const cases: Record<
  string,
  { cluster?: Partial<ClusterSketch>; spec?: Partial<BindingSpec>; affinity?: string; against: string[] }
> = {
  "a healthy cluster may be used": { against: [] },
  "an API that the cluster does not list is not there": {
    cluster: { status: {} },
    against: ["APIEnablement: cluster(s) did not have the API resource"],
  },
  "a target keeps its place when the list of APIs is lost": { cluster: { status: {} }, spec: target, against: [] },
  "a taint keeps out": {
    cluster: { spec: tainted },
    against: ["TaintToleration: cluster(s) had untolerated taint {k=v:NoSchedule}"],
  },
  "a toleration lets in": {
    cluster: { spec: tainted },
    spec: { placement: { clusterTolerations: [{ key: "k", operator: "Exists" }] } },
    against: [],
  },
  "a taint does not drive out a target": { cluster: { spec: tainted }, spec: target, against: [] },
  "a taint that only prefers is no obstacle": {
    cluster: { spec: { taints: [{ key: "k", effect: "PreferNoSchedule" }] } },
    against: [],
  },
  "the affinity keeps out, targets too": {
    spec: { ...target, placement: { clusterAffinity: { clusterNames: ["m2"] } } },
    against: ["ClusterAffinity: cluster(s) did not match the placement cluster affinity constraint"],
  },
  "a group that nobody knows means any cluster": {
    spec: { placement: { clusterAffinities: [{ affinityName: "a", clusterNames: ["m2"] }] } },
    affinity: "b",
    against: [],
  },
  "overflow groups count for workloads that are divided by room": {
    spec: {
      replicas: 1,
      placement: {
        clusterAffinities: [{ affinityName: "a", clusterNames: ["m2"], overflowAffinities: [{ affinityName: "o" }] }],
        replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
      },
    },
    affinity: "a",
    against: [],
  },
  "overflow groups do not count for what runs nothing": {
    spec: {
      placement: {
        clusterAffinities: [{ affinityName: "a", clusterNames: ["m2"], overflowAffinities: [{ affinityName: "o" }] }],
        replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
      },
    },
    affinity: "a",
    against: ["ClusterAffinity: cluster(s) did not match the placement cluster affinity constraint"],
  },
  "who is to be spread over zones must have some": {
    cluster: { spec: { zone: "old" } },
    spec: { placement: { spreadConstraints: [{ spreadByField: "zone" }] } },
    against: ["SpreadConstraint: cluster(s) did not have zones property"],
  },
  "a cluster that is being left is not entered again": {
    spec: { gracefulEvictionTasks: [{ fromCluster: "m1", reason: "TaintUntolerated", producer: "TaintManager" }] },
    against: ["ClusterEviction: cluster(s) is in the process of eviction"],
  },
  "all reasons are known, the first one is reported": {
    cluster: { status: {}, spec: tainted },
    spec: { placement: { spreadConstraints: [{ spreadByField: "region" }, { spreadByField: "provider" }] } },
    against: [
      "APIEnablement: cluster(s) did not have the API resource",
      "TaintToleration: cluster(s) had untolerated taint {k=v:NoSchedule}",
      "SpreadConstraint: cluster(s) did not have region property",
    ],
  },
};

test.each(Object.entries(cases))("%s", (_, { cluster, spec, affinity, against }) => {
  const binding = sketchSpec(spec);
  const filters = compileFilters(binding, { affinity: affinityTiers(binding, affinity) });
  const facts = clusterFacts(sketchCluster({ name: "m1", ...cluster }));
  expect(filters.exclusions(facts).map(({ filter, reason }) => `${filter}: ${reason}`)).toEqual(against);
  expect(filters.exclusion(facts)).toEqual(filters.exclusions(facts)[0]);
  expect(filters.fits(facts)).toBe(against.length === 0);
});

test("the message counts clusters by reason and sorts", () => {
  const reasons = ["b", "a", "b"].map((reason, index) => ({
    cluster: `m${index}`,
    filter: "ClusterAffinity" as const,
    reason,
  }));
  expect(noFitMessage(5, reasons)).toBe("0/5 clusters are available: 1 a, 2 b.");
  expect(noFitMessage(2, [])).toBe("0/2 clusters are available: no cluster exists.");
});

test("a taint that was tolerated for a time keeps away once it drives out, and not before", () => {
  const spec = sketchSpec({ placement: { clusterTolerations: [{ operator: "Exists", tolerationSeconds: 30 }] } });
  const taints = [{ key: "k", effect: "NoExecute", timeAdded: "2026-11-15T00:00:00Z" }];
  const facts = clusterFacts(sketchCluster({ name: "m1", spec: { taints } }));
  const against = (drivenOutAtMs?: number) =>
    compileFilters(spec, { affinity: affinityTiers(spec, undefined), drivenOutAtMs }).exclusion(facts)?.reason;
  const sinceMs = Date.parse("2026-11-15T00:00:00Z");
  expect(against(), "nothing drives out").toBeUndefined();
  expect(against(sinceMs + 29_000)).toBeUndefined();
  expect(against(sinceMs + 30_000)).toBe("cluster(s) had untolerated taint {k:NoExecute}");
});
