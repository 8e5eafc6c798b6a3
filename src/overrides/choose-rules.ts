import type { Override } from "#api/policy/override-policy.ts";
import { compareBytes } from "#base/byte-order.ts";
import { sortFew } from "#base/sort-few.ts";
import type { AffinityPart, AffinityTarget } from "#selection/cluster-affinity.ts";
import { matchSelectors } from "#selection/policy-match.ts";
import { exactness, type Precision } from "#selection/resource-selector.ts";
import type { Template } from "#selection/template.ts";
import type { PreparedOverride, PreparedRule } from "./prepared-override.ts";

/** A rule of an override policy that is about a template. */
export interface ChosenRule extends Omit<PreparedRule, "target"> {
  readonly policy: Override;
  /** How exactly the policy means the template. */
  readonly precision: Precision;
  /** The part of its target that keeps the cluster out; undefined when the rule applies. */
  readonly skippedBy: AffinityPart | undefined;
}

/**
 * The rules of the policies of one scope about a template, in the order in which they apply: less exact matches first, then by
 * name, so that the most exact and last in name has the final say.
 */
export function chooseRules(
  overrides: readonly PreparedOverride[],
  { template, cluster }: { readonly template: Template; readonly cluster: AffinityTarget },
): readonly ChosenRule[] {
  const matches: Match[] = [];
  for (const override of overrides) {
    const precision = precisionOf(override, template);
    if (precision !== "None") matches.push({ override, precision });
  }
  const chosen: ChosenRule[] = [];
  for (const { override, precision } of sortFew(matches, compareMatches))
    for (const { rule, overriders, target, printed } of override.rules)
      chosen.push({
        policy: override.policy,
        precision,
        rule,
        overriders,
        printed,
        skippedBy: target?.mismatch(cluster),
      });
  return chosen;
}

interface Match {
  readonly override: PreparedOverride;
  readonly precision: Precision;
}

/** No selector means everything in reach. */
function precisionOf({ policy, selectors }: PreparedOverride, template: Template): Precision {
  const { namespace } = policy.metadata;
  if (namespace !== undefined && namespace !== template.namespace) return "None";
  return selectors === undefined ? "All" : matchSelectors(selectors, template).precision;
}

function compareMatches(a: Match, b: Match): number {
  return (
    exactness(a.precision) - exactness(b.precision) ||
    compareBytes(a.override.policy.metadata.name, b.override.policy.metadata.name)
  );
}
