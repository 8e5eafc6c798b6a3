import { defineTwins, type TwinOf } from "#api/twins.ts";
import * as s from "#schema/schema.ts";
import { appliedClusterOverridesAnnotation, appliedOverridesAnnotation } from "./applied-keys.ts";
import { ClusterAffinity } from "./cluster-affinity.ts";
import { Overriders } from "./overriders.ts";
import { ResourceSelector } from "./resource-selector.ts";

/** What both override policies say. */
export const OverrideSpec = s.object(
  {
    resourceSelectors: s.optional(
      s.list(ResourceSelector, {
        doc: "Whose manifests are changed. Empty means every resource in the policy's reach.",
      }),
    ),
    overrideRules: s.optional(
      s.list(
        s.object(
          {
            targetCluster: s.optional(
              s.described(ClusterAffinity, "The clusters whose manifests are changed. Unset means all."),
            ),
            overriders: Overriders,
          },
          { doc: "Changes for some clusters." },
        ),
        { doc: "The changes, applied in order." },
      ),
    ),
    targetCluster: s.optional(
      s.described(ClusterAffinity, "Deprecated; read only when overrideRules is empty. Use overrideRules."),
    ),
    overriders: s.optional(
      s.described(Overriders, "Deprecated; read only when overrideRules is empty. Use overrideRules."),
    ),
  },
  { doc: "Which manifests are changed for which clusters, and how." },
);
export type OverrideSpec = s.Read<typeof OverrideSpec>;

/** In what the two override policies differ. */
export interface OverrideTraits {
  /** The annotation on works that lists the policies of this kind that were applied. */
  readonly appliedAnnotation: string;
}

const namespacedTraits: OverrideTraits = { appliedAnnotation: appliedOverridesAnnotation };
const clusterTraits: OverrideTraits = { appliedAnnotation: appliedClusterOverridesAnnotation };

export const OverridePolicies = defineTwins({
  group: "policy.karmada.io",
  version: "v1alpha1",
  categories: ["karmada-io"],
  spec: OverrideSpec,
  namespaced: {
    kind: "OverridePolicy",
    plural: "overridepolicies",
    shortNames: ["op"],
    doc: "Changes manifests of resources of its own namespace on their way to member clusters.",
    traits: namespacedTraits,
  },
  cluster: {
    kind: "ClusterOverridePolicy",
    plural: "clusteroverridepolicies",
    shortNames: ["cop"],
    doc: "Changes manifests of resources of any scope on their way to member clusters, before the policies of their namespace.",
    traits: clusterTraits,
  },
});

/** An override policy of either scope. */
export type Override = TwinOf<typeof OverridePolicies>;
