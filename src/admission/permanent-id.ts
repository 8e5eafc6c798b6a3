import type { DraftMeta } from "#api/meta/object-meta.ts";
import { mergeMembers } from "#base/json.ts";

/** Labels an object with its permanent id, unless it has one that it keeps. */
export function setPermanentId(
  metadata: DraftMeta,
  { label, id, keep }: { readonly label: string; readonly id: string; readonly keep: boolean },
): void {
  if (keep && metadata.labels?.[label]) return;
  metadata.labels = mergeMembers(metadata.labels, { [label]: id });
}
