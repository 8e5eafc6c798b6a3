import type { Fields } from "#api/meta/object-meta.ts";

/** How far a rolling update may go above and below the wanted number of pods. */
export interface RolloutLimits {
  readonly surge: number;
  readonly unavailable: number;
}

/** Upstream: k8s.io/kubectl pkg/util/deployment ResolveFenceposts. */
export function rolloutLimits(spec: Fields): RolloutLimits {
  const replicas: number = spec["replicas"] ?? 1;
  const { type, rollingUpdate = {} } = spec["strategy"] ?? {};
  if (type === "Recreate") return { surge: 0, unavailable: replicas };
  const surge = resolveCount(rollingUpdate.maxSurge ?? "25%", replicas, Math.ceil);
  const unavailable = resolveCount(rollingUpdate.maxUnavailable ?? "25%", replicas, Math.floor);
  return { surge, unavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas) };
}

/** A number, or a percentage of a total. */
export function resolveCount(value: unknown, total: number, round: (value: number) => number): number {
  if (typeof value === "string" && value.endsWith("%")) return round((Number(value.slice(0, -1)) * total) / 100);
  return Number(value ?? 0);
}
