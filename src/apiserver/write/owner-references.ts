import type { Draft } from "#api/meta/object-meta.ts";
import { sortedJson } from "#base/sorted-json.ts";

const advice =
  ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed";

/** Leaves out owners that a draft names again, and says so once. */
export function leaveOutRepeatedOwners({ metadata }: Draft, warnings: string[]): void {
  const owners = metadata.ownerReferences;
  if (!Array.isArray(owners) || owners.length < 2) return;
  const seen = new Set<string>();
  const kept: typeof owners = [];
  const repeated: typeof owners = [];
  for (const owner of owners) {
    const text = sortedJson(owner);
    (seen.has(text) ? repeated : kept).push(owner);
    seen.add(text);
  }
  if (repeated.length === 0) return;
  metadata.ownerReferences = kept;
  const warning = `${advice}: ${repeated.map(({ uid }) => uid ?? "").join(", ")}`;
  if (!warnings.includes(warning)) warnings.push(warning);
}
