import type { Cluster } from "#api/cluster/cluster.ts";
import type { BindingSpec, BindingStatus } from "#api/work/resource-binding.ts";
import { affinityTiers } from "#scheduling/affinity-tiers.ts";
import { assignReplicas } from "#scheduling/assign-replicas.ts";
import { clusterFacts } from "#scheduling/cluster-facts.ts";
import { isRescheduleDue } from "#scheduling/replica-strategy.ts";
import type { VectorAdapter } from "../vector.ts";

interface Input {
  readonly candidates: readonly {
    readonly cluster: Cluster;
    readonly allocatableReplicas: number;
    readonly availableReplicas: number;
    readonly overflowOrder?: number;
  }[];
  readonly spec: BindingSpec;
  readonly status: BindingStatus;
}

export const adapter: VectorAdapter = {
  assignReplicas: {
    typedInput: true,
    rules: { failureText: true },
    answer: ({ candidates, spec, status }: Input) => {
      const { targets, failure } = assignReplicas({
        candidates: candidates.map(({ cluster, allocatableReplicas, availableReplicas, overflowOrder = 0 }) => ({
          name: cluster.metadata.name,
          facts: clusterFacts(cluster),
          score: 0,
          allocatable: allocatableReplicas,
          available: availableReplicas,
          overflowOrder,
        })),
        spec,
        fresh: isRescheduleDue(spec.rescheduleTriggeredAt, status.lastScheduledTime),
        overflows: affinityTiers(spec, status.schedulerObservingAffinityName).overflows,
      });
      return failure === undefined
        ? { out: { clusters: targets } }
        : { err: failure.message, errClass: failure.reason };
    },
  },
};
