import type { Binding, BindingSpec } from "#api/work/resource-binding.ts";

export interface Strategy {
  readonly strategy: Pick<BindingSpec, "conflictResolution" | "preserveResourcesOnDeletion">;
  /** In what the referrers disagree, as Karmada words it. */
  readonly conflict: string | undefined;
}

/** How the copies of a dependency are treated that no policy claims: Overwrite and true win. */
export function decideStrategy(referrers: readonly Binding[]): Strategy {
  const resolutions = new Set(referrers.map(({ spec }) => spec.conflictResolution));
  const preserving = new Set(referrers.map(({ spec }) => spec.preserveResourcesOnDeletion ?? false));
  const isSaid = referrers.some(({ spec }) => spec.preserveResourcesOnDeletion !== undefined);
  const conflicts = [
    ...(resolutions.size > 1 ? ["ConflictResolution conflicted (Overwrite vs Abort)"] : []),
    ...(preserving.size > 1 ? ["PreserveResourcesOnDeletion conflicted (true vs false)"] : []),
  ];
  return {
    strategy: {
      conflictResolution: resolutions.has("Overwrite") ? "Overwrite" : "Abort",
      ...(isSaid && { preserveResourcesOnDeletion: preserving.has(true) }),
    },
    conflict: conflicts.length === 0 ? undefined : `Dependency policy conflict detected: ${conflicts.join("; ")}.`,
  };
}
