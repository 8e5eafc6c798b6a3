import { defineKind, type ReadKind } from "#api/kind.ts";
import * as s from "#schema/schema.ts";
import { ClusterAffinity } from "./cluster-affinity.ts";

const MatchCondition = s.object(
  {
    conditionType: s.string({ doc: "The type of a condition of the cluster, such as Ready." }),
    operator: s.string({ doc: "How the condition's status relates to the values: In or NotIn." }),
    statusValues: s.strings({ doc: "Values of the condition's status: True, False, Unknown." }),
  },
  { doc: "What a condition of the cluster must say. A condition that the cluster does not have says nothing." },
);
export type MatchCondition = s.Read<typeof MatchCondition>;

export const ClusterTaintPolicies = defineKind({
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "ClusterTaintPolicy",
  plural: "clustertaintpolicies",
  namespaced: false,
  doc: "Puts taints on clusters by their conditions, and takes them off again. Taints stay when the policy is deleted.",
  spec: s.object(
    {
      targetClusters: s.optional(s.described(ClusterAffinity, "The clusters that are meant. Unset means all.")),
      addOnConditions: s.optional(
        s.list(MatchCondition, { doc: "When all of these hold, the taints are put on. None means never." }),
      ),
      removeOnConditions: s.optional(
        s.list(MatchCondition, { doc: "When all of these hold, the taints are taken off. None means never." }),
      ),
      taints: s.list(
        s.object(
          {
            key: s.string({ doc: "The taint's key." }),
            value: s.optional(s.string({ doc: "The taint's value." })),
            effect: s.string({
              doc: "What happens to what does not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.",
            }),
          },
          { doc: "A taint." },
        ),
        { doc: "The taints.", minItems: 1 },
      ),
    },
    { doc: "Which taints which clusters have, and when." },
  ),
});
export type ClusterTaintPolicy = ReadKind<typeof ClusterTaintPolicies>;
