import type { FeatureGates } from "#api/feature-gates.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { claimedByLabel } from "#api/work/template-keys.ts";
import { contentHash } from "#controllers/template-content.ts";
import { templateOf } from "#selection/template.ts";
import { type Claim, claimOf, policyIdOf } from "./claim.ts";
import { type Activation, decideActivation, mayHold } from "./decide-activation.ts";
import { asksOtherwise, changesBy, type TemplateDemand } from "./decide-binding.ts";
import type { PolicyCatalog } from "./policy-catalog.ts";
import type { SchedulePriority } from "./prerequisites.ts";

export interface ActivePolicyNeeds {
  readonly policies: Pick<PolicyCatalog, "holderOf" | "candidatesFor">;
  readonly gates: Pick<FeatureGates, "StaticPolicy" | "PropagationPolicyPreemption">;
  readonly prerequisites: PolicyPrerequisites;
}

/** What policies name and cannot do without. */
export interface PolicyPrerequisites {
  missingOverrides(policy: Policy): readonly string[];
  priorityOf(policy: Policy): SchedulePriority;
}

interface Bound {
  readonly template: ApiObject;
  readonly binding: Binding | undefined;
  /** What the template asks for, if that is known. */
  readonly demand?: TemplateDemand | undefined;
  /** The policies that may mean the template, for those who have looked for them. */
  readonly candidates?: ReturnType<PolicyCatalog["candidatesFor"]>;
}

/** Which policy acts on a template, by what is stored and cached; the same for everybody who asks. */
export function activationOf(needs: ActivePolicyNeeds, { template, binding, demand, candidates }: Bound): Activation {
  const { policies, gates, prerequisites } = needs;
  const about = templateOf(template);
  const claim = claimOf(template.metadata);
  return decideActivation({
    template: about,
    holder: claim === undefined ? undefined : policies.holderOf(claim),
    isClaimed: claim !== undefined,
    candidates: candidates ?? policies.candidatesFor(about),
    preemption: gates.PropagationPolicyPreemption,
    isStatic: (policy) => gates.StaticPolicy || isLazy(policy),
    runs: binding !== undefined && (binding.spec.placement ?? binding.spec.activation) !== undefined,
    edited: isEdited({ template, binding, demand }),
    changedBy: (policy) => (binding === undefined ? [] : changesBy(policy, binding, prerequisites.priorityOf(policy))),
  });
}

/** What an activation has to wait for: a policy claims nothing new before the overrides that it names are there. */
export function awaitedBy({ prerequisites }: ActivePolicyNeeds, template: ApiObject, activation: Activation) {
  if (activation.do === "hold") return [];
  const { policy, because } = activation;
  const isNew = because !== "preempted" && claimOf(template.metadata)?.policyId !== policyIdOf(policy);
  const priority = prerequisites.priorityOf(policy);
  return [...(isNew ? prerequisites.missingOverrides(policy) : []), ...(priority.ok ? [] : [priority.missing])];
}

/** While a policy waits, its template stays as it is; a claim that nobody holds any more ends nevertheless. */
export function heldMeanwhile({ policies }: ActivePolicyNeeds, template: ApiObject) {
  const claim = claimOf(template.metadata);
  const holder = claim === undefined ? undefined : policies.holderOf(claim);
  const isHeld = holder !== undefined && mayHold(holder, templateOf(template));
  return { do: "hold", holder: isHeld ? holder.policy : undefined, releases: claim !== undefined && !isHeld } as const;
}

/**
 * Which works of a binding stay as they are, because something waits that nobody has asked for yet or nobody holds it (ruling 5). What was activated is
 * still known while the template is unedited: a cluster that joins meanwhile gets it.
 */
export function frozenWorks(needs: ActivePolicyNeeds, binding: Binding, template: ApiObject) {
  if (binding.spec.activation === undefined && !isForsaken(needs, template)) return "nothing";
  if (isEdited({ template, binding })) return "all works";
  const activation = activationOf(needs, { template, binding });
  const waits = activation.do === "hold" && (activation.pending !== undefined || activation.holder === undefined);
  return waits ? "existing works" : "nothing";
}

/** Whether a policy is about to take over a template that no other holds any more, or yet. */
export function changesHands(needs: ActivePolicyNeeds, binding: Binding, template: ApiObject): boolean {
  const claim = claimOf(template.metadata);
  if (claim === undefined ? isElsesAffair(template) : isKept(needs, claim, template)) return false;
  const activation = activationOf(needs, { template, binding });
  return activation.do === "apply" && awaitedBy(needs, template, activation).length === 0;
}

/** Whether a template is claimed by a policy that holds it no more: its deletion was asked for, or it means others now. */
function isForsaken(needs: ActivePolicyNeeds, template: ApiObject): boolean {
  const claim = claimOf(template.metadata);
  return claim !== undefined && !isKept(needs, claim, template);
}

function isKept({ policies }: ActivePolicyNeeds, claim: Claim, template: ApiObject): boolean {
  const holder = policies.holderOf(claim);
  return holder !== undefined && mayHold(holder, templateOf(template));
}

/** Whether somebody else has claimed a template: policies leave it alone. */
export function isElsesAffair({ metadata }: ApiObject): boolean {
  return metadata.labels?.[claimedByLabel] !== undefined;
}

/** What is activated is compared; a binding from before anything was recorded is compared by what it says of replicas. */
function isEdited({ template, binding, demand }: Bound): boolean {
  if (binding === undefined) return false;
  const recorded = binding.spec.activation?.templateHash;
  if (recorded !== undefined) return recorded !== contentHash(template);
  return demand !== undefined && asksOtherwise(demand, binding);
}

function isLazy({ spec }: Policy): boolean {
  return spec.activationPreference === "Lazy";
}
