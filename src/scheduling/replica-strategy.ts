import type { Placement } from "#api/policy/placement.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";

/** How replicas are given to clusters. */
export type ReplicaStrategy = "Duplicated" | "StaticWeight" | "DynamicWeight" | "Aggregated";

/** The strategy of a placement; undefined when it names none that we know. Without replicaScheduling every cluster gets all replicas. */
export function strategyOf({ replicaScheduling }: Placement): ReplicaStrategy | undefined {
  if (replicaScheduling === undefined || replicaScheduling.replicaSchedulingType === "Duplicated") return "Duplicated";
  if (replicaScheduling.replicaSchedulingType !== "Divided") return undefined;
  switch (replicaScheduling.replicaDivisionPreference) {
    case "Aggregated":
      return "Aggregated";
    case "Weighted":
      return hasDynamicWeight(replicaScheduling) ? "DynamicWeight" : "StaticWeight";
    default:
      return undefined;
  }
}

/** Whether what clusters have left decides who gets how many replicas. */
export function dividesByCapacity(placement: Placement): boolean {
  const strategy = strategyOf(placement);
  return strategy === "DynamicWeight" || strategy === "Aggregated";
}

/** Whether replicas are divided by fixed weights, so that spread constraints say nothing. A list of weights may be missing altogether, but not be empty. */
export function ignoresSpreadConstraints(placement: Placement): boolean {
  const weights = placement.replicaScheduling?.weightPreference;
  if (strategyOf(placement) !== "StaticWeight") return false;
  return weights === undefined || (weights.staticWeightList ?? []).length > 0;
}

/** Whether a binding's template runs replicas. */
export function isWorkload({ replicas = 0, replicaRequirements, components = [] }: BindingSpec): boolean {
  return replicas > 0 || replicaRequirements !== undefined || components.length > 0;
}

/** Whether someone asked for a fresh schedule since the last one. */
export function isRescheduleDue(triggeredAt: string | undefined, lastScheduledTime: string | undefined): boolean {
  if (triggeredAt === undefined || lastScheduledTime === undefined) return false;
  return Date.parse(triggeredAt) > Date.parse(lastScheduledTime);
}

function hasDynamicWeight({ weightPreference }: NonNullable<Placement["replicaScheduling"]>): boolean {
  // the wire may carry an empty text, which the type does not
  return ((weightPreference?.dynamicWeight ?? "") as string) !== "";
}
