import { dependenciesAnnotation } from "#api/work/binding-keys.ts";
import { dependenciesFinalizer } from "#api/work/finalizers.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Plan } from "#base/plan.ts";
import { type Interpretation, notUnderstood } from "#interpreter/interpretation.ts";
import type { DependencyList } from "./dependency-list.ts";

export interface ReferrerFacts {
  readonly binding: Binding;
  /** What its template needs; undefined when that is no question now: it runs nowhere, or its works are frozen. */
  readonly found: Interpretation<DependencyList> | undefined;
  /** How many bindings say that they follow it. */
  readonly followers: number;
  /** Gate PropagateDeps. */
  readonly enabled: boolean;
}

export type ReferrerStep =
  | { readonly do: "record"; readonly list: DependencyList; readonly isNews: boolean }
  | { readonly do: "reportFailure"; readonly error: string }
  | { readonly do: "release" };

/**
 * A binding holds what its template needs in an annotation, and a finalizer for as long as others may follow it: they let go first. One
 * that needs nothing gets neither.
 */
export function decideReferrer({ binding, found, followers, enabled }: ReferrerFacts): Plan<ReferrerStep> {
  const { metadata, spec } = binding;
  const isHeld = metadata.finalizers?.includes(dependenciesFinalizer) === true;
  const isLeaving = metadata.deletionTimestamp !== undefined || (enabled && spec.propagateDeps !== true);
  if (isLeaving) {
    if (!isHeld) return { steps: [] };
    return followers === 0
      ? { steps: [{ do: "release" }] }
      : { steps: [], waitFor: { reason: `${followers} bindings still follow it` } };
  }
  if (found === undefined) return { steps: [] };
  if (!found.ok) return { steps: [{ do: "reportFailure", error: found.message }], waitFor: notUnderstood(found) };
  const { dependencies, text } = found.value;
  const isNews = metadata.annotations?.[dependenciesAnnotation] !== text;
  const isNeeded = isHeld ? isNews : dependencies.length > 0;
  return { steps: isNeeded ? [{ do: "record", list: found.value, isNews }] : [] };
}
