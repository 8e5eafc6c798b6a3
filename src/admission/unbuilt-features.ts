import type { Policy } from "#api/policy/propagation-policy.ts";

/**
 * What a policy asks for that is accepted, since Karmada's manifests must apply unchanged, but has no effect yet. Said to whoever
 * writes it: a field that is silently ignored moves things by surprise.
 */
export function unbuiltFeatures({ spec }: Policy): readonly string[] {
  const { application, cluster } = spec.failover ?? {};
  return Object.entries({ application, cluster }).flatMap(([name, behavior]) =>
    (behavior?.statePreservation?.rules ?? []).length === 0
      ? []
      : [`spec.failover.${name}.statePreservation has no effect: no state is handed over to the new cluster`],
  );
}
