import type { Policy, PropagationSpec } from "#api/policy/propagation-policy.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import type { ResourceSelector } from "#api/policy/resource-selector.ts";
import type { Suspension } from "#api/policy/suspension.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { failoverErrors } from "./validate-failover.ts";
import { placementErrors } from "./validate-placement.ts";
import { selectorErrors } from "./validate-selectors.ts";

/** What must be known of the world to judge a policy. */
export interface PolicyFacts {
  /** Whether a selector's kind has no namespaces, as far as is known. */
  readonly isClusterScoped: (selector: ResourceSelector) => boolean;
}

/** What is wrong with what a propagation policy of either scope says. */
export function propagationPolicyErrors(policy: Policy, facts: PolicyFacts): FieldError[] {
  const { spec } = policy;
  const { placement, failover, suspension, propagateDeps = false } = spec;
  const errors = placement === undefined ? [] : placementErrors(placement, "spec.placement");
  if (failover?.application !== undefined && !propagateDeps) {
    const detail = "application failover is set, propagateDeps must be true";
    errors.push(invalid("spec.propagateDeps", propagateDeps, detail));
  }
  return [
    ...errors,
    ...(failover === undefined ? [] : failoverErrors(failover, "spec.failover")),
    ...preemptionErrors(policy, facts),
    ...(suspension === undefined ? [] : suspensionErrors(suspension)),
    ...selectorErrors(policy),
  ];
}

/** What of a policy's identity a write would change or lacks. */
export function policyIdentityErrors(policy: Policy, old: Policy | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const schedulerOf = ({ schedulerName }: Partial<PropagationSpec>) => schedulerName ?? "";
  if (old !== undefined && schedulerOf(policy.spec) !== schedulerOf(old.spec)) {
    errors.push(invalid("spec.schedulerName", schedulerOf(policy.spec), "the schedulerName should not be updated"));
  }
  const { idLabel } = PropagationPolicies.traits[policy.kind];
  const id = policy.metadata.labels?.[idLabel];
  const path = `metadata.labels[${idLabel}]`;
  if (old !== undefined && id !== old.metadata.labels?.[idLabel]) {
    const detail = `label ${idLabel} is immutable, it can only be set by the system during creation`;
    errors.push(invalid(path, id ?? null, detail));
  } else if (id === undefined) {
    const detail = `label ${idLabel} is required, it should be set by the mutating admission webhook during creation`;
    errors.push(invalid(path, null, detail));
  }
  return errors;
}

/**
 * Taking resources from other policies must be confined: by a name, or to namespaces (ruling 9). A selector that says which it
 * leaves out is taken, too: the proposals print it so, and nobody writes that by a slip.
 */
function preemptionErrors({ metadata, spec }: Policy, { isClusterScoped }: PolicyFacts): FieldError[] {
  if (spec.preemption !== "Always" || metadata.namespace) return [];
  return spec.resourceSelectors.flatMap((selector, index) => {
    if (selector.name || (isConfined(selector, spec) && !isClusterScoped(selector))) return [];
    const detail =
      "name cannot be empty if preemption is Always, the empty name may cause unexpected resources preemption";
    return [invalid(`spec.resourceSelectors[${index}].name`, "", detail)];
  });
}

function isConfined({ apiVersion, kind, namespace, exclude }: ResourceSelector, spec: PropagationSpec): boolean {
  if (namespace || exclude !== undefined) return true;
  const excluded = spec.excludeResourceSelectors ?? [];
  return excluded.some((each) => each.apiVersion === apiVersion && each.kind === kind);
}

/** All clusters and some clusters are two different wishes, whichever of their two names each has (ruling 12). */
function suspensionErrors(suspension: Suspension): FieldError[] {
  const everywhere = suspension.dispatching || suspension.suspendDispatching;
  const lists = [suspension.dispatchingOnClusters, suspension.suspendDispatchingOnClusters];
  const somewhere = lists.some((list) => (list?.clusterNames ?? []).length > 0);
  if (!everywhere || !somewhere) return [];
  const detail = "suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames";
  return [invalid("spec.suspension.suspension", suspension, detail)];
}
