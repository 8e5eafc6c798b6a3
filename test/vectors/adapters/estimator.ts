import type { Cluster } from "#api/cluster/cluster.ts";
import type { ReplicaRequirements } from "#api/work/replica-requirements.ts";
import { readCapacity } from "#scheduling/cluster-capacity.ts";
import { compileRequest, estimateReplicas } from "#scheduling/estimate-replicas.ts";
import type { VectorAdapter } from "../vector.ts";

interface Input {
  readonly cluster: Cluster;
  readonly replicaRequirements?: ReplicaRequirements;
}

export const adapter: VectorAdapter = {
  maxAvailableReplicas: {
    typedInput: true,
    answer: ({ cluster, replicaRequirements }: Input) => ({
      out: { replicas: estimateReplicas(readCapacity(cluster), compileRequest(replicaRequirements)) },
    }),
  },
};
