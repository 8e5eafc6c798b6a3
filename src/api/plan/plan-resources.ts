import type { ResourceId } from "#api/meta/resource-id.ts";

const groupVersion = { group: "plan.flotilla.io", version: "v1alpha1" } as const;

/** Where it is asked what changes would do: a question, nothing is stored. */
export const plans = {
  ...groupVersion,
  resource: "plans",
  kind: "Plan",
  namespaced: false,
} as const satisfies ResourceId;

/** A plan of everything takes 0.2 ms for each copy: whoever asks a control plane for a million of them must be ready to wait. */
export const planPatience = { timeoutSeconds: 600 } as const;

/** Where it is asked why something is where it is. */
export const explanations = {
  ...groupVersion,
  resource: "explanations",
  kind: "Explanation",
  namespaced: false,
} as const satisfies ResourceId;

/** What is asked of an explanation. */
export interface ExplanationSpec {
  /** As kubectl takes it: kind, plural, singular or short name, with or without its group. */
  readonly kind: string;
  /** Where it is, if it is of a kind that is in namespaces; else in `default`. */
  readonly namespace?: string;
  readonly name: string;
}

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
  /** Whether they are applied on the server, as by `kubectl apply --server-side`; else as plain `kubectl apply` does. */
  readonly serverSide?: boolean;
  /** Where things are whose manifests do not say; else in `default`. */
  readonly namespace?: string;
  /** Whether the totals alone are wanted. */
  readonly summary?: boolean;
}
