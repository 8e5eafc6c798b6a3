import * as s from "#schema/schema.ts";

/** Where something was placed. */
export const TargetCluster = s.object(
  {
    name: s.string({ doc: "The cluster." }),
    replicas: s.optional(s.int32({ doc: "How many replicas it runs." })),
    components: s.optional(
      s.list(
        s.object(
          {
            name: s.string({ doc: "The component." }),
            replicas: s.int32({ doc: "How many replicas of it the cluster runs." }),
          },
          { doc: "The share of one component." },
        ),
        { doc: "The shares of a workload's components." },
      ),
    ),
  },
  { doc: "A cluster that was chosen, and its share of the replicas." },
);
export type TargetCluster = s.Read<typeof TargetCluster>;
