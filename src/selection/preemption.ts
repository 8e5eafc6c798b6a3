import type { Policy } from "#api/policy/propagation-policy.ts";
import { compareBytes } from "#base/byte-order.ts";
import { priorityOf } from "./choose-claimant.ts";

/** Whether one policy takes a template from another, and why. */
export type Preemption =
  | { readonly preempts: true; readonly because: "higher priority" | "own namespace before cluster-scoped" }
  | {
      readonly preempts: false;
      readonly because: "same policy" | "does not preempt" | "cluster-scoped never takes from a namespace" | "priority";
    };

/**
 * A policy that preempts takes a template from a cluster-scoped policy if it is namespaced itself, from its own kind by strictly
 * higher priority, and never the other way round. How exactly they match plays no role; that both match is the caller's to know.
 */
export function decidePreemption(challenger: Policy, holder: Policy): Preemption {
  if (isSame(challenger, holder)) return { preempts: false, because: "same policy" };
  if (challenger.spec.preemption !== "Always") return { preempts: false, because: "does not preempt" };
  const scopes = [challenger, holder].map(({ metadata }) => metadata.namespace !== undefined);
  if (scopes[0] === true && scopes[1] === false) {
    return { preempts: true, because: "own namespace before cluster-scoped" };
  }
  if (scopes[0] === false && scopes[1] === true) {
    return { preempts: false, because: "cluster-scoped never takes from a namespace" };
  }
  return priorityOf(challenger) > priorityOf(holder)
    ? { preempts: true, because: "higher priority" }
    : { preempts: false, because: "priority" };
}

/**
 * The policies that a drop of a policy's priority may let in: those that preempt, of the same scope, above the new priority
 * and up to the old one. The highest come first, so that only one preemption follows.
 */
export function wokenByPriorityDrop<P extends Policy>(
  policies: readonly P[],
  dropped: { readonly policy: Policy; readonly from: number },
): readonly P[] {
  const to = priorityOf(dropped.policy);
  return policies
    .filter((peer) => {
      const priority = priorityOf(peer);
      const inReach = peer.metadata.namespace === dropped.policy.metadata.namespace && !isSame(peer, dropped.policy);
      return inReach && peer.spec.preemption === "Always" && priority > to && priority <= dropped.from;
    })
    .toSorted((a, b) => priorityOf(b) - priorityOf(a) || compareBytes(a.metadata.name, b.metadata.name));
}

function isSame(a: Policy, b: Policy): boolean {
  return a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;
}
