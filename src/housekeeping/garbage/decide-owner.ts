import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { deletionOf, type GraphNode } from "./ownership-graph.ts";

export interface OwnerFacts {
  /** As it was just read. */
  readonly object: ApiObject;
  /** What belongs to it, itself not counted. */
  readonly dependents: readonly GraphNode[];
}

export type OwnerStep =
  | { readonly do: "orphan"; readonly dependents: readonly GraphNode[] }
  | { readonly do: "release"; readonly finalizer: "orphan" | "foregroundDeletion" };

/**
 * An object that is deleted in the foreground goes after the dependents that block it; one that is deleted as an orphan's owner
 * goes after its dependents were set free.
 */
export function decideOwner({ object, dependents }: OwnerFacts): Plan<OwnerStep> {
  switch (deletionOf(object.metadata)) {
    case "orphan": {
      const freeing: readonly OwnerStep[] = dependents.length === 0 ? [] : [{ do: "orphan", dependents }];
      return { steps: [...freeing, { do: "release", finalizer: "orphan" }] };
    }
    case "foreground": {
      const blocking = dependents.filter(({ owners }) =>
        owners.some((owner) => owner.uid === object.metadata.uid && owner.blocking),
      );
      if (blocking.length === 0) return { steps: [{ do: "release", finalizer: "foregroundDeletion" }] };
      return { steps: [], waitFor: { reason: `${blocking.length} dependents block its deletion` } };
    }
    default:
      return { steps: [] };
  }
}
