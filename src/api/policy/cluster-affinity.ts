import { NodeSelectorRequirement } from "#api/core/node-selector.ts";
import { LabelSelector } from "#api/meta/label-selector-schema.ts";
import * as s from "#schema/schema.ts";

const selectors = {
  labelSelector: s.optional(s.described(LabelSelector, "Selects clusters by their labels.")),
  fieldSelector: s.optional(
    s.object(
      {
        matchExpressions: s.optional(
          s.list(NodeSelectorRequirement, {
            doc: "Requirements on the fields provider, region and zone, with operator In or NotIn; all must hold.",
          }),
        ),
      },
      { doc: "Selects clusters by what their spec says of provider, region and zone." },
    ),
  ),
  clusterNames: s.optional(s.strings({ doc: "The clusters to choose from. Empty means any." })),
  exclude: s.optional(s.strings({ doc: "Clusters that are never chosen, whatever the other fields say." })),
};

const affinityName = s.string({
  doc: "Names the group in the binding's status. A valid label key, unique in the policy.",
  minLength: 1,
  maxLength: 32,
});

/** Which clusters may be chosen. */
export const ClusterAffinity = s.object(selectors, {
  doc: "Restricts which clusters may be chosen. All fields that are set must agree.",
});
export type ClusterAffinity = s.Read<typeof ClusterAffinity>;

/** A named group of clusters, with the groups that take what does not fit. */
export const ClusterAffinityTerm = s.object(
  {
    affinityName,
    ...selectors,
    overflowAffinities: s.optional(
      s.list(
        s.object(
          { affinityName, ...selectors },
          { doc: "A named group of clusters that takes replicas that found no room." },
        ),
        {
          doc: "Groups that are filled in order once the primary clusters are full. Only for replicas that are divided as Aggregated or by dynamic weight.",
        },
      ),
    ),
  },
  { doc: "A named group of clusters." },
);
export type ClusterAffinityTerm = s.Read<typeof ClusterAffinityTerm>;
