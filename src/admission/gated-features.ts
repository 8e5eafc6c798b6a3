import type { FeatureGate, FeatureGates } from "#api/feature-gates.ts";
import type { Policy, PropagationSpec } from "#api/policy/propagation-policy.ts";

interface GatedField {
  readonly field: string;
  readonly gate: FeatureGate;
  readonly isUsed: (spec: PropagationSpec) => boolean;
}

const gatedFields: readonly GatedField[] = [
  {
    field: "spec.preemption",
    gate: "PropagationPolicyPreemption",
    isUsed: ({ preemption }) => preemption === "Always",
  },
  { field: "spec.propagateDeps", gate: "PropagateDeps", isUsed: ({ propagateDeps }) => propagateDeps === true },
  {
    field: "spec.failover",
    gate: "Failover",
    isUsed: ({ failover }) => failover?.application !== undefined || failover?.cluster !== undefined,
  },
  {
    field: "spec.schedulePriority",
    gate: "PriorityBasedScheduling",
    isUsed: ({ schedulePriority }) => schedulePriority !== undefined,
  },
];

/** What a policy asks for that the controllers do not do, because they were started with its feature gate off. */
export function gatedFeatures({ spec }: Policy, gates: FeatureGates): readonly string[] {
  return gatedFields
    .filter(({ gate, isUsed }) => !gates[gate] && isUsed(spec))
    .map(({ field, gate }) => `${field} has no effect: the controllers run with feature gate ${gate} off`);
}
