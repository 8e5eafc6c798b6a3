import type { ClusterTaintPolicy, MatchCondition } from "#api/policy/cluster-taint-policy.ts";
import { type FieldError, notSupported } from "#base/field-error.ts";
import { clusterAffinityErrors } from "./validate-cluster-affinity.ts";
import { taintErrors } from "./validate-taints.ts";

const operators = ["In", "NotIn"];
const statuses = ["True", "False", "Unknown"];

/** What is wrong with a policy for taints. */
export function clusterTaintPolicyErrors({ spec }: ClusterTaintPolicy): FieldError[] {
  const { targetClusters, addOnConditions = [], removeOnConditions = [], taints } = spec;
  return [
    ...clusterAffinityErrors(targetClusters, "spec.targetClusters"),
    ...conditionErrors(addOnConditions, "spec.addOnConditions"),
    ...conditionErrors(removeOnConditions, "spec.removeOnConditions"),
    ...taintErrors(taints, "spec.taints"),
  ];
}

function conditionErrors(conditions: readonly MatchCondition[], path: string): FieldError[] {
  return conditions.flatMap(({ operator, statusValues }, index) => [
    ...(operators.includes(operator) ? [] : [notSupported(`${path}[${index}].operator`, operator, operators)]),
    ...statusValues.flatMap((value, at) =>
      statuses.includes(value) ? [] : [notSupported(`${path}[${index}].statusValues[${at}]`, value, statuses)],
    ),
  ]);
}
