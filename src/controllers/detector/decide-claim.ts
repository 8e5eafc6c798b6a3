import type { Policy } from "#api/policy/propagation-policy.ts";
import { chooseClaimant, rankClaimants } from "#selection/choose-claimant.ts";
import { type CompiledPolicy, matchSelectors } from "#selection/policy-match.ts";
import { decidePreemption } from "#selection/preemption.ts";
import type { Template } from "#selection/template.ts";

export interface ClaimFacts {
  readonly template: Template;
  /** The policy that holds the template now, if it still exists under the id that the claim names. */
  readonly holder: CompiledPolicy | undefined;
  /** Whether the template carries a claim at all. */
  readonly isClaimed: boolean;
  /** Every policy that may mean the template. */
  readonly candidates: readonly CompiledPolicy[];
  /** Gate PropagationPolicyPreemption. */
  readonly preemption: boolean;
}

/** Who claims a template from now on, and by which rule. */
export type ClaimDecision =
  | {
      readonly policy: Policy;
      readonly because: "still matches" | "matches" | "no longer matched by its policy" | "preempted";
    }
  | { readonly policy: undefined; readonly because: "nothing matches" | "released" };

/**
 * A claim holds while its policy exists and still means the template; only a policy that preempts may take it over. A claim that no
 * longer holds is matched anew at once (ruling 6).
 */
export function decideClaim({ template, holder, isClaimed, candidates, preemption }: ClaimFacts): ClaimDecision {
  const holds =
    holder !== undefined &&
    holder.policy.metadata.deletionTimestamp === undefined &&
    matchSelectors(holder, template).precision !== "None";
  if (holds) {
    const challenger = preemption ? strongestChallenger(holder.policy, candidates, template) : undefined;
    return challenger === undefined
      ? { policy: holder.policy, because: "still matches" }
      : { policy: challenger, because: "preempted" };
  }
  const claimant = chooseClaimant(candidates, template);
  if (claimant === undefined) return { policy: undefined, because: isClaimed ? "released" : "nothing matches" };
  return { policy: claimant.policy, because: isClaimed ? "no longer matched by its policy" : "matches" };
}

function strongestChallenger(
  holder: Policy,
  candidates: readonly CompiledPolicy[],
  template: Template,
): Policy | undefined {
  return rankClaimants(candidates, template).find(({ policy }) => decidePreemption(policy, holder).preempts)?.policy;
}
