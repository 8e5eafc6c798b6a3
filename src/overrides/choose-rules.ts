import type { Override } from "#api/policy/override-policy.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { compareBytes } from "#base/byte-order.ts";
import { sortFew } from "#base/sort-few.ts";
import { type AffinityPart, type AffinityTarget, compileClusterAffinity } from "#selection/cluster-affinity.ts";
import { compilePolicy, matchSelectors } from "#selection/policy-match.ts";
import { exactness, type Precision } from "#selection/resource-selector.ts";
import type { Template } from "#selection/template.ts";

/** A rule of an override policy that is about a template. */
export interface ChosenRule {
  readonly policy: Override;
  /** How exactly the policy means the template. */
  readonly precision: Precision;
  /** The place in `overrideRules`; absent where the deprecated fields stand for the only rule. */
  readonly rule?: number;
  readonly overriders: Overriders;
  /** The part of its target that keeps the cluster out; absent when the rule applies. */
  readonly skippedBy?: AffinityPart;
}

/**
 * The rules of the policies of one scope about a template, in the order in which they apply: less exact matches first, then by
 * name, so that the most exact and last in name has the final say.
 */
export function chooseRules(
  policies: readonly Override[],
  { template, cluster }: { readonly template: Template; readonly cluster: AffinityTarget },
): readonly ChosenRule[] {
  const matches = policies
    .map((policy) => ({ policy, precision: precisionOf(policy, template) }))
    .filter(({ precision }) => precision !== "None");
  return sortFew(matches, compareMatches).flatMap(({ policy, precision }) =>
    rulesOf(policy).map((rule) => ({ policy, precision, ...targeted(rule, cluster) })),
  );
}

interface Match {
  readonly policy: Override;
  readonly precision: Precision;
}

/** No selector means everything in reach. */
function precisionOf(policy: Override, template: Template): Precision {
  const { namespace } = policy.metadata;
  if (namespace !== undefined && namespace !== template.namespace) return "None";
  const { resourceSelectors = [] } = policy.spec;
  if (resourceSelectors.length === 0) return "All";
  return matchSelectors(compilePolicy({ spec: { resourceSelectors } }), template).precision;
}

function compareMatches(a: Match, b: Match): number {
  return (
    exactness(a.precision) - exactness(b.precision) || compareBytes(a.policy.metadata.name, b.policy.metadata.name)
  );
}

type Rule = NonNullable<Override["spec"]["overrideRules"]>[number] & { readonly rule?: number };

function rulesOf({ spec }: Override): readonly Rule[] {
  const { overrideRules = [], targetCluster, overriders = {} } = spec;
  if (overrideRules.length > 0) return overrideRules.map((each, rule) => ({ rule, ...each }));
  return [{ overriders, ...(targetCluster !== undefined && { targetCluster }) }];
}

function targeted({ targetCluster, overriders, rule }: Rule, cluster: AffinityTarget) {
  const skippedBy = targetCluster === undefined ? undefined : compileClusterAffinity(targetCluster).mismatch(cluster);
  return { overriders, ...(rule !== undefined && { rule }), ...(skippedBy !== undefined && { skippedBy }) };
}
