import { expect, test } from "vitest";
import type { Placement } from "#api/policy/placement.ts";
import { isPlacementChanged, printPlacement } from "./applied-placement.ts";

const toGroups = (...names: string[]): Placement => ({
  clusterAffinities: names.map((each) => {
    const [affinityName = "", cluster = ""] = each.split(":");
    return { affinityName, clusterNames: [cluster] };
  }),
});

const cases: Record<string, { now: Placement; applied?: string | Placement; observed?: string; changed: boolean }> = {
  "nothing was applied yet": { now: {}, changed: true },
  "an empty annotation says nothing": { now: {}, applied: "", changed: true },
  "an annotation that cannot be read counts as unchanged": {
    now: { clusterAffinity: {} },
    applied: "{",
    changed: false,
  },
  "an annotation that is no object counts as unchanged": {
    now: { clusterAffinity: {} },
    applied: "[]",
    changed: false,
  },
  "the order of members does not matter": {
    now: { clusterAffinity: { clusterNames: ["a"], exclude: ["b"] } },
    applied: '{"clusterAffinity":{"exclude":["b"],"clusterNames":["a"]}}',
    changed: false,
  },
  "the order of a list does": {
    now: { clusterAffinity: { clusterNames: ["a", "b"] } },
    applied: '{"clusterAffinity":{"clusterNames":["b","a"]}}',
    changed: true,
  },
  "zero and absent are the same": {
    now: { spreadConstraints: [{ spreadByField: "cluster", minGroups: 0 }] },
    applied: '{"spreadConstraints":[{"spreadByField":"cluster"}]}',
    changed: false,
  },
  "an empty list and an absent one are not": {
    now: { clusterAffinity: { clusterNames: [] } },
    applied: '{"clusterAffinity":{}}',
    changed: true,
  },
  "no affinity and an empty one are not": { now: { clusterAffinity: {} }, applied: "{}", changed: true },
  "tolerating for no time is not tolerating for ever": {
    now: { clusterTolerations: [{ key: "k", tolerationSeconds: 0 }] },
    applied: '{"clusterTolerations":[{"key":"k"}]}',
    changed: true,
  },
  "the group in use is the same": {
    now: toGroups("a:m1", "b:m3"),
    applied: toGroups("a:m1", "b:m2"),
    observed: "a",
    changed: false,
  },
  "the group in use has changed": { now: toGroups("a:m2"), applied: toGroups("a:m1"), observed: "a", changed: true },
  "the group in use is gone": { now: toGroups("b:m1"), applied: toGroups("a:m1"), observed: "a", changed: true },
  "the group in use is new": { now: toGroups("a:m1", "b:m1"), applied: toGroups("a:m1"), observed: "b", changed: true },
  "no group is in use yet": { now: toGroups("a:m1", "b:m1"), applied: toGroups("a:m1"), changed: true },
  "another part has changed beside the groups": {
    now: { ...toGroups("a:m1"), clusterTolerations: [{ key: "k" }] },
    applied: toGroups("a:m1"),
    observed: "a",
    changed: true,
  },
};

test.each(Object.entries(cases))("%s", (_, { now, applied, observed, changed }) => {
  const text = typeof applied === "object" ? printPlacement(applied) : applied;
  expect(isPlacementChanged(now, { applied: text, observedAffinity: observed })).toBe(changed);
});

test("the annotation leaves out what is empty and keeps Karmada's order", () => {
  const placement: Placement = {
    replicaScheduling: {
      weightPreference: { staticWeightList: [{ weight: 2, targetCluster: {} }] },
      replicaDivisionPreference: "Weighted",
      replicaSchedulingType: "Divided",
    },
    clusterTolerations: [],
    clusterAffinity: { clusterNames: [], labelSelector: { matchLabels: {} } },
  };
  expect(printPlacement(placement)).toBe(
    '{"clusterAffinity":{"labelSelector":{}},"replicaScheduling":{"replicaSchedulingType":"Divided","replicaDivisionPreference":"Weighted","weightPreference":{"staticWeightList":[{"targetCluster":{},"weight":2}]}}}',
  );
});
