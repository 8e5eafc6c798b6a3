import type { Override } from "#api/policy/override-policy.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { type ClusterMatcher, compileClusterAffinity } from "#selection/cluster-affinity.ts";
import { type CompiledSelectors, compilePolicy } from "#selection/policy-match.ts";
import { printApplied } from "./applied-overrides.ts";

/** An override policy, read once: it may be asked about very many manifests. */
export interface PreparedOverride {
  readonly policy: Override;
  /** Undefined means everything in reach. */
  readonly selectors: CompiledSelectors | undefined;
  readonly rules: readonly PreparedRule[];
}

export interface PreparedRule {
  /** The place in `overrideRules`; undefined where the deprecated fields stand for the only rule. */
  readonly rule: number | undefined;
  readonly overriders: Overriders;
  /** Undefined means every cluster. */
  readonly target: ClusterMatcher | undefined;
  /** How works record that it was applied. */
  readonly printed: string;
}

/** Reads an override policy. */
export function prepareOverride(policy: Override): PreparedOverride {
  const { resourceSelectors = [], overrideRules = [], targetCluster, overriders = {} } = policy.spec;
  const rules: readonly Rule[] = overrideRules.length > 0 ? overrideRules : [{ overriders, targetCluster }];
  return {
    policy,
    selectors: resourceSelectors.length === 0 ? undefined : compilePolicy({ spec: { resourceSelectors } }),
    rules: rules.map((each, index) => ({
      rule: overrideRules.length > 0 ? index : undefined,
      overriders: each.overriders,
      target: each.targetCluster && compileClusterAffinity(each.targetCluster),
      printed: printApplied(policy.metadata.name, each.overriders),
    })),
  };
}

interface Rule {
  readonly overriders: Overriders;
  readonly targetCluster?: Override["spec"]["targetCluster"];
}
