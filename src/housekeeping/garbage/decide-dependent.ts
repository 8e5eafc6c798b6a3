import type { DeleteOptions } from "#api/meta/api-call.ts";
import type { ApiObject, OwnerReference } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import type { OwnerFact, OwnerState } from "./owner-states.ts";

export interface DependentFacts {
  /** As it was just read. */
  readonly object: ApiObject;
  readonly owners: readonly OwnerFact[];
  /** Something belongs to it in turn. */
  readonly hasDependents: boolean;
  /** One of those waits for its own dependents: the references go round in a circle. */
  readonly inCircle: boolean;
}

export type DependentStep =
  | { readonly do: "warn"; readonly reference: OwnerReference }
  | { readonly do: "keepOwners"; readonly owners: readonly OwnerReference[] }
  | { readonly do: "delete"; readonly policy: NonNullable<DeleteOptions["propagationPolicy"]> };

/**
 * An object goes when the last of its owners has gone. While another owner lives, it only loses the references to the dead.
 * Upstream: k8s.io/kubernetes pkg/controller/garbagecollector attemptToDeleteItem
 */
export function decideDependent({ object, owners, hasDependents, inCircle }: DependentFacts): Plan<DependentStep> {
  if (object.metadata.deletionTimestamp !== undefined) return { steps: [] };
  const warnings = owners
    .filter(({ state }) => state === "elsewhere" || state === "unresolvable")
    .map(({ reference }): DependentStep => ({ do: "warn", reference }));
  const kept = owners.filter(({ state }) => counts[state] === "there");
  const waiting = owners.some(({ state }) => state === "waiting");
  if (kept.length === owners.length) return { steps: warnings, ...unknownKind(owners) };
  if (kept.length > 0) {
    return { steps: [...warnings, { do: "keepOwners", owners: kept.map(({ reference }) => reference) }] };
  }
  if (!waiting || !hasDependents) return { steps: [...warnings, { do: "delete", policy: ownPolicy(object) }] };
  // its own dependents go first; in a circle nobody may wait for anybody, or all would wait for ever
  const blocks = owners.some(({ reference }) => reference.blockOwnerDeletion === true);
  if (!inCircle || !blocks) return { steps: [...warnings, { do: "delete", policy: "Foreground" }] };
  const unblocked = owners.map(({ reference }) => ({ ...reference, blockOwnerDeletion: false }));
  return { steps: [...warnings, { do: "keepOwners", owners: unblocked }] }; // and its event brings it again
}

const counts: Readonly<Record<OwnerState, "there" | "waiting" | "gone">> = {
  alive: "there",
  unknown: "there",
  unresolvable: "there",
  waiting: "waiting",
  absent: "gone",
  elsewhere: "gone",
};

function unknownKind(owners: readonly OwnerFact[]): Pick<Plan<DependentStep>, "waitFor"> {
  return owners.some(({ state }) => state === "unknown")
    ? { waitFor: { reason: "an owner's kind is not served" } }
    : {};
}

/** What somebody asked for by a finalizer set in advance. */
function ownPolicy({ metadata: { finalizers = [] } }: ApiObject): "Orphan" | "Foreground" | "Background" {
  if (finalizers.includes("orphan")) return "Orphan";
  return finalizers.includes("foregroundDeletion") ? "Foreground" : "Background";
}
