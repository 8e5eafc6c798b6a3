import { type LabelSelector, selectsLabels } from "#api/meta/label-selector.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { type Json, jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";

/** A ClusterRole as far as aggregation reads it. */
export interface ClusterRole extends ApiObject {
  readonly rules?: readonly Json[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] } | null;
}

export interface AggregatedRoleFacts {
  readonly role: ClusterRole;
  readonly roles: Iterable<ClusterRole>;
}

export interface AggregatedRoleStep {
  readonly do: "writeRules";
  readonly rules: readonly Json[];
}

/** Whether the rules of a role are put together from others. */
export function isAggregated({ aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined && aggregationRule !== null;
}

/** An aggregated role has the rules of all roles that its selectors pick, by name, each rule once, and no others. */
export function decideAggregatedRole({ role, roles }: AggregatedRoleFacts): Plan<AggregatedRoleStep> {
  if (role.metadata.deletionTimestamp !== undefined || !isAggregated(role)) return { steps: [] };
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  const picked = [...roles]
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .filter(({ metadata }) => selectors.some((selector) => selectsLabels(selector, metadata.labels)))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const rules: Json[] = [];
  for (const rule of picked.flatMap((each) => each.rules ?? [])) {
    if (!rules.some((known) => jsonEquals(known, rule))) rules.push(rule);
  }
  return jsonEquals(role.rules ?? [], rules) ? { steps: [] } : { steps: [{ do: "writeRules", rules }] };
}
