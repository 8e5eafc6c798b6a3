import { expect, test } from "vitest";
import type { ClusterTaintPolicy } from "#api/policy/cluster-taint-policy.ts";
import { clusterTaintPolicyErrors } from "./validate-cluster-taint-policy.ts";

type Spec = ClusterTaintPolicy["spec"];
const taints: Spec["taints"] = [{ key: "broken", effect: "NoExecute" }];
const ready = { conditionType: "Ready", operator: "NotIn", statusValues: ["True"] };

test.each<[string, Spec, readonly string[]]>([
  ["as Karmada's examples have it", { taints, addOnConditions: [ready], removeOnConditions: [ready] }, []],
  [
    "an operator that is none",
    { taints, addOnConditions: [{ ...ready, operator: "Exists" }] },
    ["spec.addOnConditions[0].operator"],
  ],
  [
    "a status that is none",
    { taints, removeOnConditions: [{ ...ready, statusValues: ["True", "maybe"] }] },
    ["spec.removeOnConditions[0].statusValues[1]"],
  ],
  ["an effect that is not known", { taints: [{ key: "k", effect: "PreferNoExecute" }] }, ["spec.taints[0].effect"]],
  ["a taint twice", { taints: [...taints, ...taints] }, ["spec.taints[1]"]],
])("%s", (_, spec, paths) => {
  expect(clusterTaintPolicyErrors({ spec } as ClusterTaintPolicy).map(({ path }) => path)).toEqual(paths);
});
