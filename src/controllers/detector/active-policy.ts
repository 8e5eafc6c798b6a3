import type { FeatureGates } from "#api/feature-gates.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { contentHash } from "#controllers/template-content.ts";
import { templateOf } from "#selection/template.ts";
import { claimOf } from "./claim.ts";
import { type Activation, decideActivation } from "./decide-activation.ts";
import { asksOtherwise, changesBy, type TemplateDemand } from "./decide-binding.ts";
import type { PolicyCatalog } from "./policy-catalog.ts";

export interface ActivePolicyNeeds {
  readonly policies: Pick<PolicyCatalog, "holderOf" | "candidatesFor">;
  readonly gates: Pick<FeatureGates, "StaticPolicy" | "PropagationPolicyPreemption">;
}

interface Bound {
  readonly template: ApiObject;
  readonly binding: Binding | undefined;
  /** What the template asks for, if that is known. */
  readonly demand?: TemplateDemand | undefined;
}

/** Which policy acts on a template, by what is stored and cached; the same for everybody who asks. */
export function activationOf({ policies, gates }: ActivePolicyNeeds, { template, binding, demand }: Bound): Activation {
  const about = templateOf(template);
  const claim = claimOf(template.metadata);
  return decideActivation({
    template: about,
    holder: claim === undefined ? undefined : policies.holderOf(claim),
    isClaimed: claim !== undefined,
    candidates: policies.candidatesFor(about),
    preemption: gates.PropagationPolicyPreemption,
    isStatic: (policy) => gates.StaticPolicy || isLazy(policy),
    runs: binding !== undefined && (binding.spec.placement ?? binding.spec.activation) !== undefined,
    edited: isEdited({ template, binding, demand }),
    changedBy: (policy) => (binding === undefined ? [] : changesBy(policy, binding)),
  });
}

/**
 * Which works of a binding stay as they are, because something waits that nobody has asked for yet or nobody holds it (ruling 5). What was activated is
 * still known while the template is unedited: a cluster that joins meanwhile gets it.
 */
export function frozenWorks(needs: ActivePolicyNeeds, binding: Binding, template: ApiObject) {
  if (binding.spec.activation === undefined) return "nothing";
  if (isEdited({ template, binding })) return "all works";
  const activation = activationOf(needs, { template, binding });
  const waits = activation.do === "hold" && (activation.pending !== undefined || activation.holder === undefined);
  return waits ? "existing works" : "nothing";
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
