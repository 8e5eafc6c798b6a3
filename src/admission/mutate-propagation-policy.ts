import type { Draft, Fields } from "#api/meta/object-meta.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { fillSelectorNamespaces } from "./fill-selector-namespaces.ts";
import { setPermanentId } from "./permanent-id.ts";
import { isUnset, objectIn, objectsIn } from "./raw-fields.ts";

const gracefulFailoverSeconds = 600;

/**
 * Completes a propagation policy of either scope in place: what was left open is written down, and a new policy gets its identity.
 * The permanent id of a new policy is always fresh: one copied from another policy would claim that policy's templates.
 */
export function mutatePropagationPolicy(
  policy: Draft,
  { created, id }: { readonly created: boolean; readonly id: string },
): void {
  const spec: Fields | undefined = objectIn(policy, "spec");
  if (spec !== undefined) {
    fillSelectorNamespaces(spec, policy.metadata.namespace);
    if (selectsServiceImport(spec)) spec["propagateDeps"] = true;
    completePlacement(objectIn(spec, "placement"));
    completeFailover(objectIn(objectIn(spec, "failover"), "application"));
  }
  if (created) identify(policy, id);
}

function identify({ kind, metadata }: Draft, id: string): void {
  const traits = PropagationPolicies.traits[kind as keyof typeof PropagationPolicies.traits]; // both kinds of the family
  setPermanentId(metadata, { label: traits.idLabel, id, keep: false });
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(traits.finalizer)) metadata.finalizers = [...finalizers, traits.finalizer];
}

/** An imported service is of no use without the slices that it stands for. */
function selectsServiceImport(spec: Fields): boolean {
  return objectsIn(spec, "resourceSelectors").some(
    ({ apiVersion, kind }) => apiVersion === "multicluster.x-k8s.io/v1alpha1" && kind === "ServiceImport",
  );
}

function completePlacement(placement: Fields | undefined): void {
  for (const constraint of objectsIn(placement, "spreadConstraints")) {
    if (isUnset(constraint["spreadByField"]) && isUnset(constraint["spreadByLabel"])) {
      constraint["spreadByField"] = "cluster";
    }
    if (isUnset(constraint["minGroups"]) || constraint["minGroups"] === 0) constraint["minGroups"] = 1;
  }
  const scheduling = objectIn(placement, "replicaScheduling");
  if (scheduling?.["replicaSchedulingType"] === "Divided" && isUnset(scheduling["replicaDivisionPreference"])) {
    scheduling["replicaDivisionPreference"] = "Weighted";
  }
}

function completeFailover(application: Fields | undefined): void {
  if (application?.["purgeMode"] !== "Gracefully" || !isUnset(application["gracePeriodSeconds"])) return;
  application["gracePeriodSeconds"] = gracefulFailoverSeconds;
}
