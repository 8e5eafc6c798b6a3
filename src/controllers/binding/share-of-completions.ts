import type { Manifest } from "#api/meta/manifest.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { lastNameFirst } from "#scheduling/divide-by-weight.ts";
import { allocateSeats } from "#scheduling/webster.ts";

/** How many completions of a divided job fall to one target: by the replicas of each, as replicas themselves are divided. */
export function shareOfCompletions(
  { kind, ...manifest }: Manifest,
  { spec }: Binding,
  target: TargetCluster,
): number | undefined {
  const completions = (manifest["spec"] as Fields | undefined)?.["completions"];
  const isDivided = spec.placement?.replicaScheduling?.replicaSchedulingType === "Divided";
  if (kind !== "Job" || !isDivided || (spec.replicas ?? 0) === 0 || typeof completions !== "number") return undefined;
  const parties = (spec.clusters ?? []).map(({ name, replicas = 0 }) => ({ name, votes: replicas, seats: 0 }));
  const division = { newSeats: completions, parties, lastNameFirst: lastNameFirst(spec.resource.uid ?? "") };
  return allocateSeats(division).find(({ name }) => name === target.name)?.seats;
}
