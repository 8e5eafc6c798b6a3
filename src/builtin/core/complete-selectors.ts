import type { Fields } from "#api/meta/object-meta.ts";
import { member } from "#base/json.ts";

/** Adds the values that a new pod has for the keys of its affinities and spreads to their selectors. */
export function completeSelectors(spec: Fields, labels: Readonly<Record<string, string>>): void {
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      complete(podAffinityTerm, labels);
    }
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) complete(term, labels);
  }
  for (const constraint of spec.topologySpreadConstraints ?? []) complete(constraint, labels);
}

function complete(term: Fields | undefined, labels: Readonly<Record<string, string>>): void {
  const selector = term?.labelSelector;
  if (term == null || selector == null) return;
  const added = [
    ...expressions(term.matchLabelKeys ?? [], "In", labels),
    ...expressions(term.mismatchLabelKeys ?? [], "NotIn", labels),
  ];
  if (added.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}

function expressions(keys: readonly string[], operator: string, labels: Readonly<Record<string, string>>): Fields[] {
  return keys.flatMap((key) => {
    const value = member(labels, key);
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
