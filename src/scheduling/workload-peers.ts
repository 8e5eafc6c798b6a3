import type { Binding, BindingSpec } from "#api/work/resource-binding.ts";

/** Where the other workloads of a binding's groups go, for each of them the names of its targets. */
export interface WorkloadPeers {
  /** Those it should be with; one that is not scheduled yet says nothing. */
  readonly together: readonly ReadonlySet<string>[];
  /** Those it should be apart from. */
  readonly apart: readonly ReadonlySet<string>[];
}

/** The peers of a binding among others (gate WorkloadAffinity): of its namespace, with the very same group. */
export function findPeers(binding: Binding, others: Iterable<Binding>): WorkloadPeers {
  const { affinityGroup = "", antiAffinityGroup = "" } = binding.spec.workloadAffinityGroups ?? {};
  const together: ReadonlySet<string>[] = [];
  const apart: ReadonlySet<string>[] = [];
  for (const { metadata, spec } of others) {
    if (metadata.namespace !== binding.metadata.namespace || metadata.name === binding.metadata.name) continue;
    const { affinityGroup: theirs, antiAffinityGroup: theirAnti } = spec.workloadAffinityGroups ?? {};
    const targets = targetNames(spec);
    if (affinityGroup !== "" && theirs === affinityGroup && targets.size > 0) together.push(targets);
    if (antiAffinityGroup !== "" && theirAnti === antiAffinityGroup) apart.push(targets);
  }
  return { together, apart };
}

/** The names of a binding's targets. */
export function targetNames({ clusters = [] }: BindingSpec): ReadonlySet<string> {
  return new Set(clusters.map(({ name }) => name));
}
