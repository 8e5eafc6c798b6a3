import type { Policy } from "#api/policy/propagation-policy.ts";
import { compareBytes } from "#base/byte-order.ts";
import { type CompiledPolicy, matchSelectors, type PolicyMatch } from "./policy-match.ts";
import { exactness } from "./resource-selector.ts";
import type { Template } from "./template.ts";

/** A policy that means a template, and how exactly. */
export interface Claimant<P extends Policy = Policy> {
  readonly policy: P;
  readonly match: Extract<PolicyMatch, { readonly selector: number }>;
}

/**
 * The policy that claims a template: one of its namespace before any cluster-scoped one, then the highest priority, then the most
 * exact match, then the first name in byte order.
 */
export function chooseClaimant<P extends Policy>(
  policies: readonly CompiledPolicy<P>[],
  template: Template,
): Claimant<P> | undefined {
  let best: Claimant<P> | undefined;
  for (const policy of policies) {
    const claimant = claimantOf(policy, template);
    if (claimant !== undefined && (best === undefined || compareClaimants(claimant, best) < 0)) best = claimant;
  }
  return best;
}

/** All policies that mean a template, the one that claims it first: why it won shows in the others. */
export function rankClaimants<P extends Policy>(
  policies: readonly CompiledPolicy<P>[],
  template: Template,
): readonly Claimant<P>[] {
  return policies.flatMap((policy) => claimantOf(policy, template) ?? []).toSorted((a, b) => compareClaimants(a, b));
}

/** Whether a policy is about the template's namespace at all: one of a namespace stays in it. */
export function isInReach({ metadata }: Policy, { namespace }: Template): boolean {
  return metadata.namespace === undefined || metadata.namespace === namespace;
}

/** What of two claimants tells them apart; for people who ask why. */
export function decidedBy(winner: Claimant, loser: Claimant): "scope" | "priority" | "precision" | "name" {
  return firstDifference(winner, loser).by;
}

/** A policy on its way out claims nothing. */
function claimantOf<P extends Policy>(compiled: CompiledPolicy<P>, template: Template): Claimant<P> | undefined {
  if (compiled.policy.metadata.deletionTimestamp !== undefined) return undefined;
  const match = matchSelectors(compiled, template);
  return match.precision === "None" ? undefined : { policy: compiled.policy, match };
}

function compareClaimants(a: Claimant, b: Claimant): number {
  return firstDifference(a, b).order;
}

function firstDifference(a: Claimant, b: Claimant) {
  const scope = scopeRank(a.policy) - scopeRank(b.policy);
  if (scope !== 0) return { by: "scope", order: scope } as const;
  const priority = priorityOf(b.policy) - priorityOf(a.policy);
  if (priority !== 0) return { by: "priority", order: priority } as const;
  const precision = exactness(b.match.precision) - exactness(a.match.precision);
  if (precision !== 0) return { by: "precision", order: precision } as const;
  return { by: "name", order: compareBytes(a.policy.metadata.name, b.policy.metadata.name) } as const;
}

function scopeRank({ metadata }: Policy): number {
  return metadata.namespace === undefined ? 1 : 0;
}

/** The explicit priority of a policy; absent in objects that were stored before it had a default. */
export function priorityOf({ spec }: Policy): number {
  return spec.priority ?? 0;
}
