import { Toleration } from "#api/core/toleration.ts";
import * as s from "#schema/schema.ts";
import { ClusterAffinity, ClusterAffinityTerm } from "./cluster-affinity.ts";
import { ReplicaScheduling } from "./replica-scheduling.ts";

const SpreadConstraint = s.object(
  {
    spreadByField: s.optional(
      s.oneOf(["cluster", "region", "zone", "provider"], {
        doc: "The cluster's field that makes a group. Not together with spreadByLabel; cluster when neither is set.",
      }),
    ),
    spreadByLabel: s.optional(
      s.string({ doc: "The cluster's label that makes a group. Not together with spreadByField." }),
    ),
    maxGroups: s.optional(s.integer({ doc: "At most this many groups. Unset or 0 means no limit." })),
    minGroups: s.optional(s.integer({ doc: "At least this many groups; 1 when it is unset or 0." })),
  },
  { doc: "Over how many groups of clusters to spread." },
);

const WorkloadGrouping = s.object(
  { groupByLabelKey: s.string({ doc: "The label of the workload whose value makes the group." }) },
  { doc: "Groups the workloads of a namespace by one of their labels." },
);

/** Where resources go. */
export const Placement = s.object(
  {
    clusterAffinity: s.optional(
      s.described(
        ClusterAffinity,
        "Which clusters may be chosen. Not together with clusterAffinities. Unset means any.",
      ),
    ),
    clusterAffinities: s.optional(
      s.list(ClusterAffinityTerm, {
        doc: "Groups of clusters, tried in order until one fits. Not together with clusterAffinity.",
      }),
    ),
    clusterTolerations: s.optional(s.list(Toleration, { doc: "The taints of clusters that are tolerated." })),
    spreadConstraints: s.optional(s.list(SpreadConstraint, { doc: "Over how many groups of clusters to spread." })),
    replicaScheduling: s.optional(
      s.described(
        ReplicaScheduling,
        "How replicas are spread over the chosen clusters. Absent means every cluster gets all of them.",
      ),
    ),
    workloadAffinity: s.optional(
      s.object(
        {
          affinity: s.optional(s.described(WorkloadGrouping, "Workloads of one group go to the same clusters.")),
          antiAffinity: s.optional(s.described(WorkloadGrouping, "Workloads of one group go to different clusters.")),
        },
        { doc: "How workloads of a namespace attract or avoid each other." },
      ),
    ),
  },
  { doc: "Which clusters receive the resources, and how replicas are spread over them." },
);
export type Placement = s.Read<typeof Placement>;
