import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Placement } from "#api/policy/placement.ts";
import { type FieldError, invalid, notSupported } from "#base/field-error.ts";
import { affinityTermErrors } from "./validate-affinity-terms.ts";
import { clusterAffinityErrors } from "./validate-cluster-affinity.ts";

const tolerationOperators = ["", "Exists", "Equal"];

/** What is wrong with where a policy sends things. */
export function placementErrors(placement: Placement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (placement.clusterAffinity !== undefined && placement.clusterAffinities !== undefined) {
    errors.push(invalid(path, placement, "clusterAffinities cannot co-exist with clusterAffinity"));
  }
  return [
    ...errors,
    ...clusterAffinityErrors(placement.clusterAffinity, `${path}.clusterAffinity`),
    ...affinityTermErrors(placement, `${path}.clusterAffinities`),
    ...tolerationErrors(placement, `${path}.clusterTolerations`),
    ...spreadErrors(placement.spreadConstraints ?? [], `${path}.spreadConstraints`),
    ...workloadAffinityErrors(placement.workloadAffinity, `${path}.workloadAffinity`),
  ];
}

/** Clusters' taints are not numbers: Lt and Gt would never match. */
function tolerationErrors({ clusterTolerations = [] }: Placement, path: string): FieldError[] {
  return clusterTolerations.flatMap(({ operator = "" }, index) =>
    tolerationOperators.includes(operator)
      ? []
      : [notSupported(`${path}[${index}].operator`, operator, tolerationOperators)],
  );
}

type SpreadConstraints = NonNullable<Placement["spreadConstraints"]>;

function spreadErrors(constraints: SpreadConstraints, path: string): FieldError[] {
  const errors = constraints.flatMap((constraint, index) =>
    constraintProblems(constraint).map((detail) => invalid(`${path}[${index}]`, constraint, detail)),
  );
  const fields = constraints.flatMap(({ spreadByField }) => (spreadByField ? [spreadByField] : []));
  const repeated = new Set(fields.filter((field, index) => fields.indexOf(field) !== index));
  for (const field of repeated) {
    errors.push(invalid(path, constraints, `multiple ${field} spread constraints are not allowed`));
  }
  if (fields.length > 0 && !fields.includes("cluster")) {
    const detail =
      "the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled";
    errors.push(invalid(path, constraints, detail));
  }
  return errors;
}

function constraintProblems(constraint: SpreadConstraints[number]): string[] {
  const { spreadByField, spreadByLabel, minGroups = 0, maxGroups = 0 } = constraint;
  const problems: string[] = [];
  if (spreadByField && spreadByLabel) problems.push("spreadByLabel should not co-exist with spreadByField");
  if (minGroups < 0) problems.push("minGroups lower than 0 is not allowed");
  if (maxGroups < 0) problems.push("maxGroups lower than 0 is not allowed");
  if (maxGroups > 0 && maxGroups < minGroups) problems.push("maxGroups lower than minGroups is not allowed");
  return problems;
}

function workloadAffinityErrors(grouping: Placement["workloadAffinity"], path: string): FieldError[] {
  const { affinity, antiAffinity } = grouping ?? {};
  const errors = [
    ...groupKeyErrors(affinity?.groupByLabelKey, `${path}.affinity.groupByLabelKey`),
    ...groupKeyErrors(antiAffinity?.groupByLabelKey, `${path}.antiAffinity.groupByLabelKey`),
  ];
  if (affinity !== undefined && affinity.groupByLabelKey === antiAffinity?.groupByLabelKey) {
    errors.push(invalid(path, grouping, "affinity and antiAffinity must not use the same groupByLabelKey"));
  }
  return errors;
}

function groupKeyErrors(key: string | undefined, path: string): FieldError[] {
  return key === undefined ? [] : qualifiedNameErrors(key).map((detail) => invalid(path, key, detail));
}
