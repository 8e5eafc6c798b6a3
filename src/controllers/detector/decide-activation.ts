import type { Policy } from "#api/policy/propagation-policy.ts";
import { chooseClaimant, rankClaimants } from "#selection/choose-claimant.ts";
import { type CompiledPolicy, matchSelectors } from "#selection/policy-match.ts";
import { decidePreemption } from "#selection/preemption.ts";
import type { Template } from "#selection/template.ts";

export interface ActivationFacts {
  readonly template: Template;
  /** The policy that holds the template now, if it still exists under the id that the claim names. */
  readonly holder: CompiledPolicy | undefined;
  /** Whether the template carries a claim at all. */
  readonly isClaimed: boolean;
  /** Every policy that may mean the template. */
  readonly candidates: readonly CompiledPolicy[];
  /** Gate PropagationPolicyPreemption. */
  readonly preemption: boolean;
  /** Whether a policy takes effect on what runs only when its user edits it. */
  readonly isStatic: (policy: Policy) => boolean;
  /** Whether a policy has placed the template before: nothing else can be disturbed (ruling 2). */
  readonly runs: boolean;
  /** Whether users changed the template since it was last activated. */
  readonly edited: boolean;
  /** What of the binding a policy would change. */
  readonly changedBy: (policy: Policy) => readonly string[];
}

/** Who claims a template from now on, and by which rule. */
export type ClaimReason = "still matches" | "matches" | "no longer matched by its policy" | "preempted" | "edited";

/** What waits, and for what. */
export type Pending =
  | { readonly why: "policy changed"; readonly policy: Policy; readonly changes: readonly string[] }
  | { readonly why: "another policy waits"; readonly policy: Policy }
  | { readonly why: "no policy matches the edited template" }
  | { readonly why: "released cluster by cluster"; readonly clusters: readonly string[] };

export type Activation =
  | {
      readonly do: "apply";
      readonly policy: Policy;
      readonly because: ClaimReason;
      /** Whether what is activated is recorded, so that the next edit can be told from a restart. */
      readonly records: boolean;
      readonly pending?: Pending;
    }
  | {
      /** The binding stays as it is. */
      readonly do: "hold";
      /** The policy that activated it and still holds it. */
      readonly holder: Policy | undefined;
      /** Whether the claim ends. */
      readonly releases: boolean;
      readonly pending?: Pending;
    };

/**
 * What becomes of a template. A claim holds while its policy exists and means the template; a policy that preempts may take it over; a
 * claim that no longer holds is matched anew (ruling 6). A static policy acts on what runs only when users edit it, and then every
 * static policy that ranks before the holder counts as one that preempts. Any other policy acts at once.
 */
export function decideActivation(facts: ActivationFacts): Activation {
  const { template, holder, candidates, isClaimed, isStatic } = facts;
  const holds = holder !== undefined && mayHold(holder, template);
  if (!facts.runs) return first(facts, holds ? holder.policy : undefined);
  if (facts.edited) return rematched(facts, holds ? holder.policy : undefined);
  if (holds) return held(facts, holder.policy);
  const claimant = chooseClaimant(candidates, template)?.policy;
  if (claimant === undefined) return { do: "hold", holder: undefined, releases: isClaimed };
  if (isStatic(claimant))
    return {
      do: "hold",
      holder: undefined,
      releases: isClaimed,
      pending: { why: "another policy waits", policy: claimant },
    };
  return apply(facts, claimant, isClaimed ? "no longer matched by its policy" : "matches");
}

/** Whether a policy may keep the claim on a template. */
export function mayHold(holder: CompiledPolicy, template: Template): boolean {
  return (
    holder.policy.metadata.deletionTimestamp === undefined && matchSelectors(holder, template).precision !== "None"
  );
}

/** Nothing runs yet: whoever matches is heard at once. */
function first(facts: ActivationFacts, holder: Policy | undefined): Activation {
  if (holder !== undefined) return apply(facts, holder, "still matches");
  const claimant = chooseClaimant(facts.candidates, facts.template)?.policy;
  if (claimant === undefined) return { do: "hold", holder: undefined, releases: facts.isClaimed };
  return apply(facts, claimant, "matches");
}

function rematched(facts: ActivationFacts, holder: Policy | undefined): Activation {
  const { candidates, template, isClaimed, isStatic } = facts;
  const claimant =
    holder === undefined
      ? chooseClaimant(candidates, template)?.policy
      : (challengers(facts, holder).find((each) => isStatic(each) || preempts(facts, each, holder)) ?? holder);
  if (claimant === undefined)
    return {
      do: "hold",
      holder: undefined,
      releases: isClaimed,
      pending: { why: "no policy matches the edited template" },
    };
  return apply(facts, claimant, claimant === holder ? "still matches" : "edited");
}

function held(facts: ActivationFacts, holder: Policy): Activation {
  const { isStatic, changedBy } = facts;
  const before = challengers(facts, holder);
  const preemptor = before.find((each) => !isStatic(each) && preempts(facts, each, holder));
  if (preemptor !== undefined) return applyMeanwhile(facts, preemptor, "preempted");
  if (!isStatic(holder)) return applyMeanwhile(facts, holder, "still matches");
  const waiting = before.find(isStatic);
  if (waiting !== undefined)
    return { do: "hold", holder, releases: false, pending: { why: "another policy waits", policy: waiting } };
  const changes = changedBy(holder);
  if (changes.length === 0) return { do: "hold", holder, releases: false };
  return { do: "hold", holder, releases: false, pending: { why: "policy changed", policy: holder, changes } };
}

/** A policy acts, although a static one that ranks before it waits for an edit: another look at what comes of it finds it so. */
function applyMeanwhile(facts: ActivationFacts, policy: Policy, because: ClaimReason): Activation {
  const applied = apply(facts, policy, because);
  const waiting = challengers(facts, policy).find(facts.isStatic);
  if (waiting === undefined) return applied;
  return { ...applied, records: true, pending: { why: "another policy waits", policy: waiting } };
}

function apply({ isStatic }: ActivationFacts, policy: Policy, because: ClaimReason) {
  return { do: "apply", policy, because, records: isStatic(policy) } as const;
}

/** Policies that mean the template and rank before its holder, the first first; those that preempt by rule among them. */
function challengers({ candidates, template }: ActivationFacts, holder: Policy): readonly Policy[] {
  const ranked = rankClaimants(candidates, template).map(({ policy }) => policy);
  const place = ranked.findIndex((each) => isSame(each, holder));
  return place === -1 ? ranked : ranked.slice(0, place);
}

function preempts({ preemption }: ActivationFacts, challenger: Policy, holder: Policy): boolean {
  return preemption && decidePreemption(challenger, holder).preempts;
}

function isSame({ metadata: a }: Policy, { metadata: b }: Policy): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}
