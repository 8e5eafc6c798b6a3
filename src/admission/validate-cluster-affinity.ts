import type { ClusterAffinity } from "#api/policy/cluster-affinity.ts";
import { type FieldError, invalid } from "#base/field-error.ts";

const fields: ReadonlySet<string> = new Set(["provider", "region", "zone"]);
const operators: ReadonlySet<string> = new Set(["In", "NotIn"]);

/** What is wrong with a choice of clusters: its field selector knows few keys and operators. The first finding counts. */
export function clusterAffinityErrors(affinity: ClusterAffinity | undefined, path: string): FieldError[] {
  const selector = affinity?.fieldSelector;
  for (const { key, operator } of selector?.matchExpressions ?? []) {
    const problem = requirementProblem(key, operator);
    if (problem !== undefined) return [invalid(`${path}.fieldSelector`, selector, problem)];
  }
  return [];
}

function requirementProblem(key: string, operator: string): string | undefined {
  if (!fields.has(key)) return `unsupported key ${JSON.stringify(key)}, must be provider, region, or zone`;
  if (!operators.has(operator)) return `unsupported operator ${JSON.stringify(operator)}, must be In or NotIn`;
  return undefined;
}
