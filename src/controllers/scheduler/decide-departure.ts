import { appliedPlacementAnnotation } from "#api/policy/applied-keys.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { ClusterSnapshot } from "#scheduling/cluster-facts.ts";
import type { Placing } from "./decide-placing.ts";

/**
 * What becomes of a binding that nobody speaks for any more when clusters of it leave: it lets these go and gets no others. Undefined
 * when none of them leaves, or when it is told to stay as it is.
 */
export function decideDeparture(binding: Binding, { names }: ClusterSnapshot): Placing | undefined {
  const { clusters: targets, ...spec } = binding.spec;
  if (targets === undefined || spec.suspension?.scheduling === true) return undefined;
  if (binding.metadata.deletionTimestamp !== undefined) return undefined;
  const left = targets.filter(({ name }) => names.has(name));
  if (left.length === targets.length) return undefined;
  const clusters = left.length === 0 ? undefined : left; // absent, never empty (ruling 24)
  const appliedPlacement = binding.metadata.annotations?.[appliedPlacementAnnotation];
  return {
    decision: { attempts: [], clusters, appliedPlacement, status: binding.status, retry: false },
    spec: { ...binding, spec: { ...spec, ...(clusters === undefined ? {} : { clusters }) } },
    status: undefined,
  };
}
