import type { Cluster } from "#api/cluster/cluster.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { type Candidate, comparePreference } from "#scheduling/candidates.ts";
import { clusterFacts } from "#scheduling/cluster-facts.ts";
import { groupByRegion } from "#scheduling/region-groups.ts";
import { selectClusters } from "#scheduling/select-clusters.ts";
import type { VectorAdapter } from "../vector.ts";

interface Input {
  readonly candidates: readonly {
    readonly cluster: Cluster;
    readonly score: number;
    readonly allocatableReplicas: number;
  }[];
  readonly spec: BindingSpec;
}

export const adapter: VectorAdapter = {
  groupClusters: {
    typedInput: true,
    answer: (input: Input) => {
      const ranked = rank(input);
      const clusters = ranked.map(({ name, score, available, overflowOrder }) => ({
        name,
        score,
        availableReplicas: available,
        overflowOrder,
      }));
      const regions = groupByRegion(ranked, input.spec).map(({ name, score, available, clusters: members }) => [
        name,
        { score, availableReplicas: available, clusters: members.map((member) => member.name) },
      ]);
      return { out: { clusters, regions: Object.fromEntries(regions) } };
    },
  },
  selectClusters: {
    typedInput: true,
    rules: { failureText: true },
    answer: (input: Input) => {
      const { clusters, problem } = selectClusters(rank(input), input.spec);
      if (problem !== undefined) return { err: problem, errClass: "SchedulerError" };
      return { out: { clusters: clusters.map(({ name }) => name) } };
    },
  },
};

function rank({ candidates, spec }: Input): Candidate[] {
  const assigned = new Map((spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]));
  return candidates
    .map(({ cluster, score, allocatableReplicas: allocatable }): Candidate => {
      const facts = clusterFacts(cluster);
      const available = allocatable + (assigned.get(facts.name) ?? 0);
      return { name: facts.name, facts, score, allocatable, available, overflowOrder: 0 };
    })
    .toSorted(comparePreference);
}
