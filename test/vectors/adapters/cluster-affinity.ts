import type { Cluster } from "#api/cluster/cluster.ts";
import type { ClusterAffinity } from "#api/policy/cluster-affinity.ts";
import { matchesCluster } from "#selection/cluster-affinity.ts";
import type { VectorAdapter } from "../vector.ts";

export const adapter: VectorAdapter = {
  clusterMatches: {
    typedInput: true,
    answer: ({ affinity, cluster }: { readonly affinity: ClusterAffinity; readonly cluster: Cluster }) => ({
      out: { matches: matchesCluster(affinity, cluster) },
    }),
  },
};
