import { clusterPolicyIdLabel, policyIdLabel } from "#api/policy/claim-keys.ts";
import { bindingManagedByLabel } from "#api/work/binding-keys.ts";
import type { Binding } from "#api/work/resource-binding.ts";

/** The scheduler of a binding that names none. */
export const defaultSchedulerName = "default-scheduler";

const claims = [policyIdLabel, clusterPolicyIdLabel, bindingManagedByLabel];

/** Whether a scheduler takes care of a binding: it is meant, it is not told to wait, and someone stands behind the binding. A binding that only follows another one has no policy of its own and is not scheduled. */
export function acceptsBinding({ metadata, spec }: Binding, schedulerName = defaultSchedulerName): boolean {
  if ((spec.schedulerName || defaultSchedulerName) !== schedulerName) return false;
  if (spec.suspension?.scheduling === true) return false;
  return claims.some((label) => metadata.labels?.[label] !== undefined);
}
