import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { bindingAt } from "#controllers/binding-informers.ts";
import type { Informer } from "#runtime/informer.ts";
import { referrersOf } from "./attached-binding-controller.ts";
import { decideAttachedBinding } from "./decide-attached-binding.ts";
import { followedBy } from "./referrers.ts";

export interface FollowsSoonNeeds {
  /** Of both scopes, indexed by `needs`. */
  readonly bindings: readonly Informer<ApiObject>[];
  /** Whether a binding is about to be looked at: its policy may say something else, or its template need something else. */
  readonly isDue: (referrer: Binding) => boolean;
  /** Whether somebody may be found at once who needs what a binding is about. */
  readonly isFinding: (binding: Binding) => boolean;
}

export interface SentDependency {
  readonly binding: Binding;
  /** The dependency itself. */
  readonly object: ApiObject;
  /** Whether it goes from clusters by what its binding says now. */
  readonly isLeaving: () => boolean;
}

/**
 * Whether the binding of a dependency is about to be written because of those that it follows: one of them was changed, or its policy
 * was. Copies come and go by that: what is sent before may be nobody's need any more, and what goes before may be missed.
 */
export function followsSoon(needs: FollowsSoonNeeds, { binding, object, isLeaving }: SentDependency): boolean {
  const { bindings, isDue, isFinding } = needs;
  if (!hasReplicas(binding) && isFinding(binding) && isLeaving()) return true;
  const followed = followedBy(binding as unknown as ApiObject); // a binding
  if (followed.length === 0) return false; // nearly always
  const isSettled = (key: string) => {
    const referrer = bindingAt(bindings, key);
    return referrer === undefined || !isDue(referrer);
  };
  if (!followed.every(isSettled)) return true;
  const { steps } = decideAttachedBinding({
    object,
    binding,
    mode: "follow",
    referrers: referrersOf(bindings, object),
    conflict: undefined,
    formerConflict: undefined,
  });
  return steps.some((step) => step.do === "putBinding" && step.urgency === "now");
}

/** A workload needs others, and is hardly needed itself: many move at once, and none has to wait for that. */
function hasReplicas({ spec }: Binding): boolean {
  return spec.replicas !== undefined;
}
