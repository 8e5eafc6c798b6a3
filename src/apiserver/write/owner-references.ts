import type { Draft } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";

const advice =
  ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed";

/** Leaves out owners that a draft names again, and says so once. */
export function leaveOutRepeatedOwners({ metadata }: Draft, warnings: string[]): void {
  const owners = metadata.ownerReferences;
  if (!Array.isArray(owners) || owners.length < 2) return;
  const isAgain = (index: number) => owners.slice(0, index).some((earlier) => jsonEquals(earlier, owners[index]));
  const repeated = owners.filter((_, index) => isAgain(index));
  if (repeated.length === 0) return;
  metadata.ownerReferences = owners.filter((_, index) => !isAgain(index));
  const warning = `${advice}: ${repeated.map(({ uid }) => uid ?? "").join(", ")}`;
  if (!warnings.includes(warning)) warnings.push(warning);
}
