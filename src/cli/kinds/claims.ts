import type { ObjectMeta } from "#api/meta/object-meta.ts";
import type { ObjectKey } from "#api/meta/resource-id.ts";
import { clusterPolicyNameKey, policyNameKey, policyNamespaceKey } from "#api/policy/claim-keys.ts";

/** The policy that claims a template or a binding, by what is written on it; cluster-scoped where it has no namespace. */
export function holderOf({ annotations = {} }: Pick<ObjectMeta, "annotations">): ObjectKey | undefined {
  const name = annotations[policyNameKey];
  const namespace = annotations[policyNamespaceKey];
  if (name !== undefined && namespace !== undefined) return { namespace, name };
  const cluster = annotations[clusterPolicyNameKey];
  return cluster === undefined ? undefined : { name: cluster };
}
