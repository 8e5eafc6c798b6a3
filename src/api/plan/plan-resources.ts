import type { ResourceId } from "#api/meta/resource-id.ts";

const groupVersion = { group: "plan.flotilla.io", version: "v1alpha1" } as const;

/** Where it is asked what changes would do: a question, nothing is stored. */
export const plans = {
  ...groupVersion,
  resource: "plans",
  kind: "Plan",
  namespaced: false,
} as const satisfies ResourceId;

/** A manifest that somebody wants to apply, or whose object to delete. */
export interface WantedEdit {
  readonly do: "apply" | "delete";
  readonly manifest: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  };
}

/** What is asked of a plan. */
export interface PlanSpec {
  readonly edits: readonly WantedEdit[];
  /** Who would own the fields that are applied. */
  readonly fieldManager?: string;
  /** Where things are whose manifests do not say; else in `default`. */
  readonly namespace?: string;
  /** Whether the totals alone are wanted. */
  readonly summary?: boolean;
}
