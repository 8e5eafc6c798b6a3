import type { Policy } from "#api/policy/propagation-policy.ts";

/**
 * What a policy asks for that is accepted, since Karmada's manifests must apply unchanged, but has no effect yet. Said to whoever
 * writes it: a field that is silently ignored moves things by surprise.
 */
export function unbuiltFeatures({ spec }: Policy): readonly string[] {
  const { failover } = spec;
  return [
    ...(failover === undefined
      ? []
      : ["spec.failover has no effect yet: nothing moves when a cluster or an application fails"]),
  ];
}
