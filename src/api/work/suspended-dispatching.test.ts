import { expect, test } from "vitest";
import type { BindingSpec } from "./resource-binding.ts";
import { isDispatchingSuspended } from "./suspended-dispatching.ts";

const cases: readonly [string, BindingSpec["suspension"], readonly string[]][] = [
  ["nothing is said", undefined, []],
  ["nothing is paused", { dispatching: false, suspendDispatching: false }, []],
  ["all, in Karmada's words", { dispatching: true }, ["m1", "m2"]],
  ["all, in the proposal's words", { suspendDispatching: true }, ["m1", "m2"]],
  ["one, in Karmada's words", { dispatchingOnClusters: { clusterNames: ["m1"] } }, ["m1"]],
  ["one, in the proposal's words", { suspendDispatchingOnClusters: { clusterNames: ["m2"] } }, ["m2"]],
  ["a list without names", { dispatchingOnClusters: {} }, []],
  ["only scheduling is paused", { scheduling: true }, []],
];

test.each(cases)("%s", (_, suspension, suspended) => {
  const spec = suspension === undefined ? {} : { suspension };
  expect(["m1", "m2"].filter((cluster) => isDispatchingSuspended(spec, cluster))).toEqual(suspended);
});
