import type { BindingSpec } from "./resource-binding.ts";

/** Whether changes are kept from a cluster: from all, or from this one by name. Both spellings mean the same (ruling 12). */
export function isDispatchingSuspended({ suspension = {} }: Pick<BindingSpec, "suspension">, cluster: string): boolean {
  const { dispatching, suspendDispatching, dispatchingOnClusters, suspendDispatchingOnClusters } = suspension;
  if (dispatching === true || suspendDispatching === true) return true;
  return [dispatchingOnClusters, suspendDispatchingOnClusters].some((list) => list?.clusterNames?.includes(cluster));
}
