import type { Override } from "#api/policy/override-policy.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { overriddenIdentityErrors } from "./overridden-identity.ts";
import { clusterAffinityErrors } from "./validate-cluster-affinity.ts";
import { overriderErrors } from "./validate-overriders.ts";
import { selectorErrors } from "./validate-selectors.ts";

/** What is wrong with an override policy of either scope. */
export function overridePolicyErrors(policy: Override): FieldError[] {
  const { overrideRules, targetCluster, overriders } = policy.spec;
  const errors = clusterAffinityErrors(targetCluster, "spec.targetCluster");
  if (overrideRules !== undefined && targetCluster !== undefined) {
    errors.push(invalid("spec.targetCluster", targetCluster, "overrideRules and targetCluster can't co-exist"));
  }
  if (overrideRules !== undefined && overriders !== undefined && changesSomething(overriders)) {
    errors.push(invalid("spec.overriders", overriders, "overrideRules and overriders can't co-exist"));
  }
  return [
    ...errors,
    ...(overriders === undefined ? [] : overriddenIdentityErrors(overriders, "spec.overriders")),
    ...(overrideRules ?? []).flatMap((rule, index) => {
      const path = `spec.overrideRules[${index}]`;
      return [
        ...overriderErrors(rule.overriders, `${path}.overriders`),
        ...overriddenIdentityErrors(rule.overriders, `${path}.overriders`),
        ...clusterAffinityErrors(rule.targetCluster, `${path}.targetCluster`),
      ];
    }),
    ...selectorErrors(policy),
  ];
}

/** Field overriders do not count, as in Karmada: they came after the deprecated form, and policies that hold both are in use. */
function changesSomething({ fieldOverrider: _, ...others }: Overriders): boolean {
  return Object.values(others).some((list) => list.length > 0);
}
