import * as s from "#schema/schema.ts";
import { ClusterAffinity } from "./cluster-affinity.ts";

/** How replicas are spread over the chosen clusters. */
export const ReplicaScheduling = s.object(
  {
    replicaSchedulingType: s.defaulted(
      s.oneOf(["Duplicated", "Divided"], {
        doc: "Duplicated gives every cluster all replicas; Divided splits them.",
      }),
      "Divided",
    ),
    replicaDivisionPreference: s.optional(
      s.oneOf(["Aggregated", "Weighted"], {
        doc: "Aggregated uses as few clusters as possible; Weighted follows weightPreference. Only for Divided, where Weighted is set when it is empty.",
      }),
    ),
    weightPreference: s.optional(
      s.object(
        {
          staticWeightList: s.optional(
            s.list(
              s.object(
                {
                  targetCluster: s.described(ClusterAffinity, "The clusters that have this weight."),
                  weight: s.int64({ doc: "The share of each such cluster, relative to the others'.", minimum: 1 }),
                },
                { doc: "A weight for some clusters." },
              ),
              { doc: "Fixed weights. A cluster that none of them selects has weight zero." },
            ),
          ),
          dynamicWeight: s.optional(
            s.oneOf(["AvailableReplicas"], {
              doc: "Weighs clusters by what is found out while scheduling; takes precedence over staticWeightList.",
            }),
          ),
        },
        { doc: "The weights of clusters when replicas are divided as Weighted. Unset means equal weights." },
      ),
    ),
  },
  { doc: "How replicas are spread. Absent means Duplicated; present and empty means Divided." },
);
export type ReplicaScheduling = s.Read<typeof ReplicaScheduling>;
