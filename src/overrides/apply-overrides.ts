import type { Manifest } from "#api/meta/manifest.ts";
import type { AffinityTarget } from "#selection/cluster-affinity.ts";
import { templateOf } from "#selection/template.ts";
import { applyOverriders } from "./apply-overriders.ts";
import { type ChosenRule, chooseRules } from "./choose-rules.ts";
import { identityChange } from "./identity-guard.ts";
import { OverrideFailure } from "./patch-manifest.ts";
import type { PreparedOverride } from "./prepared-override.ts";

/** What override policies make of a manifest for one cluster. */
export type OverrideResult =
  | {
      readonly ok: true;
      readonly manifest: Manifest;
      /** All rules about the template in their order, skipped ones included. */
      readonly rules: readonly ChosenRule[];
    }
  | {
      readonly ok: false;
      /** The rule that does not fit; what came before it is not kept either. */
      readonly rule: ChosenRule;
      readonly message: string;
    };

/**
 * Renders a manifest for a cluster: first by the cluster-scoped policies, then by those of its namespace, which are matched against
 * what the first made of it. A rule that fails, or that changes what the object is, fails the whole.
 */
export function applyOverrides(
  manifest: Manifest,
  { overrides, cluster }: { readonly overrides: readonly PreparedOverride[]; readonly cluster: AffinityTarget },
): OverrideResult {
  const scopes = [
    overrides.filter(({ policy }) => policy.metadata.namespace === undefined),
    overrides.filter(({ policy }) => policy.metadata.namespace !== undefined),
  ];
  let result = manifest;
  const rules: ChosenRule[] = [];
  for (const scope of scopes) {
    if (scope.length === 0) continue;
    const chosen = chooseRules(scope, { template: templateOf(result), cluster });
    for (const rule of chosen) {
      if (rule.skippedBy !== undefined) continue;
      const attempt = attemptRule(result, rule);
      if (typeof attempt === "string") return { ok: false, rule, message: attempt };
      result = attempt;
    }
    rules.push(...chosen);
  }
  return { ok: true, manifest: result, rules };
}

function attemptRule(manifest: Manifest, { overriders }: ChosenRule): Manifest | string {
  try {
    const result = applyOverriders(manifest, overriders);
    const changed = identityChange(manifest, result);
    return changed === undefined ? result : `${changed} cannot be overridden`;
  } catch (error) {
    if (error instanceof OverrideFailure) return error.message;
    throw error;
  }
}
