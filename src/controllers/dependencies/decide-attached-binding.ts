import type { ApiObject } from "#api/meta/object-meta.ts";
import { dependedByLabelPrefix } from "#api/work/binding-keys.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import { isForeign, sameButRevision } from "#controllers/compare-bindings.ts";
import {
  attachedBinding,
  keyOfSnapshot,
  occupiedClusters,
  releasedBinding,
  type Snapshot,
  snapshotsOf,
} from "./attached-binding.ts";

export interface AttachedFacts {
  /** The dependency, as the control plane has it. */
  readonly object: ApiObject | undefined;
  /** Its binding, whoever made it. */
  readonly binding: Binding | undefined;
  /**
   * `follow`: it follows its referrers, and nobody else. `keep`: it is not attached anew and does not move, since its gate is off or
   * there is no object any more; it only lets go of referrers that are gone, which wait for that.
   */
  readonly mode: "follow" | "keep";
  /** The bindings that it shall follow, or keep following. */
  readonly referrers: readonly Binding[];
  /** In what the referrers disagree, and what that was when this was last looked at; empty: nothing, undefined: never looked. */
  readonly conflict: string | undefined;
  readonly formerConflict: string | undefined;
}

export interface PutBinding {
  readonly do: "putBinding";
  readonly wanted: Binding;
  /** Those whose entry is new or has changed. */
  readonly synced: readonly Binding[];
  readonly conflict: string | undefined;
  readonly urgency: Urgency;
}

/**
 * Copies come, go or change by it: `now`. Else it only says who needs what is there anyway: `soon` where one that is listed waits to be let go, or says
 * something else; `whenCalm` where it only lists more of them.
 */
export type Urgency = "now" | "soon" | "whenCalm";

export type AttachedStep = PutBinding | { readonly do: "warn"; readonly conflict: string };

/**
 * The binding of a dependency follows all its referrers and nobody else. It is worked out from scratch each time: what it says now does
 * not matter, except for the part of a policy that claims the dependency itself.
 */
export function decideAttachedBinding(facts: AttachedFacts): Plan<AttachedStep> {
  const { object, binding, referrers, mode, conflict } = facts;
  if (referrers.length === 0 && (binding === undefined || !isAttached(binding))) return { steps: [] };
  const obstacle = obstacleTo(facts);
  if (obstacle !== undefined) return { steps: [], waitFor: { reason: obstacle } };
  const byReferrer = new Map((binding?.spec.requiredBy ?? []).map((each) => [keyOfSnapshot(each), each]));
  const requiredBy = mode === "follow" ? snapshotsOf(referrers, binding?.spec.requiredBy) : kept(byReferrer, referrers);
  const wanted =
    mode === "follow" && object !== undefined
      ? attachedBinding(object, { binding, referrers, requiredBy })
      : binding && releasedBinding(binding, { referrers, requiredBy });
  if (wanted === undefined) return { steps: [] };
  if (binding !== undefined && sameButRevision(wanted, binding)) return { steps: newConflict(facts) };
  const entries = new Map(requiredBy.map((each) => [keyOfSnapshot(each), each]));
  const synced = referrers.filter((referrer) => {
    const key = bindingKey(referrer);
    return !jsonEquals(byReferrer.get(key), entries.get(key));
  });
  const reaches = binding === undefined || !jsonEquals(effectOf(wanted), effectOf(binding));
  const onlyAdds = [...byReferrer].every(([key, each]) => jsonEquals(each, entries.get(key)));
  const urgency = reaches ? "now" : onlyAdds ? "whenCalm" : "soon";
  return { steps: [{ do: "putBinding", wanted, synced, conflict, urgency }] };
}

/** What of a binding reaches members: where copies are because of referrers, and how they are treated. */
function effectOf({ spec }: Binding): unknown {
  const places = (spec.requiredBy ?? []).flatMap(({ clusters = [] }) => clusters.map(({ name }) => name));
  return [[...new Set(places)].toSorted(), spec.conflictResolution, spec.preserveResourcesOnDeletion];
}

/** Whether a binding that comes to need what another is about changes nothing in members by that: it is there already, and treated as it wants. */
export function isServed(referrer: Binding, follower: Binding): boolean {
  const { spec } = referrer;
  const missing = new Set(occupiedClusters(referrer).map(({ name }) => name));
  for (const { clusters = [] } of follower.spec.requiredBy ?? []) {
    if (missing.size === 0) break; // mostly after the first
    for (const { name } of clusters) missing.delete(name);
  }
  const isTreatedSo =
    follower.spec.conflictResolution === spec.conflictResolution &&
    (follower.spec.preserveResourcesOnDeletion ?? false) === (spec.preserveResourcesOnDeletion ?? false);
  return missing.size === 0 && isTreatedSo && follower.metadata.deletionTimestamp === undefined;
}

/** Whoever agreed before may disagree now without anything else to change; what was so when this process began is no news. */
function newConflict({ conflict, formerConflict }: AttachedFacts): readonly AttachedStep[] {
  if (conflict === undefined || formerConflict === undefined || conflict === formerConflict) return [];
  return [{ do: "warn", conflict }];
}

/** Whether a binding follows another, or bears the mark of one that it followed. */
export function isAttached({ metadata, spec }: Binding): boolean {
  const labels = Object.keys(metadata.labels ?? {});
  return (spec.requiredBy ?? []).length > 0 || labels.some((key) => key.startsWith(dependedByLabelPrefix));
}

/** Why nothing can be done about a binding just now; its end brings the dependency again. */
function obstacleTo({ object, binding }: AttachedFacts): string | undefined {
  if (binding === undefined) return undefined;
  if (binding.metadata.deletionTimestamp !== undefined) return "its binding is being deleted";
  const isOther = object !== undefined && isForeign(binding, object);
  return isOther ? "the binding of a former object of this name is being collected" : undefined;
}

/** The entries of those that are still there, as they are. */
function kept(present: ReadonlyMap<string, Snapshot>, referrers: readonly Binding[]): readonly Snapshot[] {
  const still = new Set(referrers.map(bindingKey));
  return [...present].filter(([key]) => still.has(key)).map(([, each]) => each);
}
