import type { ObjectMeta } from "#api/meta/object-meta.ts";
import { deletionProtectedLabel } from "#api/work/template-keys.ts";

/** Why an object may not be deleted; undefined when it may. */
export function deletionRefusal({ labels }: Pick<ObjectMeta, "labels">): string | undefined {
  if (labels?.[deletionProtectedLabel] !== "Always") return undefined;
  return `This resource is protected, please make sure to remove the label: ${deletionProtectedLabel}`;
}
