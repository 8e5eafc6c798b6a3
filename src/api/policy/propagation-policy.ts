import { ageColumn } from "#api/kind.ts";
import { defineTwins, type TwinOf } from "#api/twins.ts";
import * as s from "#schema/schema.ts";
import {
  clusterPolicyIdLabel,
  clusterPolicyNameKey,
  policyIdLabel,
  policyNameKey,
  policyNamespaceKey,
} from "./claim-keys.ts";
import { Failover } from "./failover.ts";
import { clusterPropagationPolicyFinalizer, propagationPolicyFinalizer } from "./finalizers.ts";
import { Placement } from "./placement.ts";
import { ExcludeResourceSelector, ResourceSelector } from "./resource-selector.ts";
import { Suspension } from "./suspension.ts";

/** What both propagation policies say. */
export const PropagationSpec = s.object(
  {
    resourceSelectors: s.list(ResourceSelector, {
      minItems: 1,
      doc: "What to propagate. Empty is refused: it must never come to mean everything in reach.",
    }),
    excludeResourceSelectors: s.optional(
      s.list(ExcludeResourceSelector, {
        doc: "What is never propagated by this policy. Exclude beats include; a resource that an edit excludes is released and matched anew.",
      }),
    ),
    association: s.optional(s.boolean({ doc: "Deprecated and never read; use propagateDeps." })),
    propagateDeps: s.optional(
      s.boolean({ doc: "Whether what a resource refers to travels with it to the same clusters. Unset means no." }),
    ),
    placement: s.optional(
      s.described(Placement, "Where the resources go. Unset means to every cluster that can take them."),
    ),
    priority: s.defaulted(
      s.int32({
        doc: "Of several policies that match a resource the one with the highest value claims it; then the most exact match, then the first name.",
      }),
      0,
    ),
    preemption: s.defaulted(
      s.oneOf(["Always", "Never"], {
        doc: "Whether this policy takes resources from policies of lower priority that already claimed them. Always needs selectors that are confined: by a name, or to namespaces.",
      }),
      "Never",
    ),
    dependentOverrides: s.optional(
      s.strings({
        doc: "Override policies that must exist before anything is propagated: of the policy's namespace, or cluster-scoped ones for a cluster-scoped policy.",
      }),
    ),
    schedulerName: s.defaulted(
      s.string({ doc: "The scheduler that places the resources. Cannot be changed." }),
      "default-scheduler",
    ),
    failover: s.optional(
      s.described(Failover, "What happens when an application or its cluster fails. Unset means nothing moves."),
    ),
    conflictResolution: s.defaulted(
      s.oneOf(["Abort", "Overwrite"], {
        doc: "What happens when a member cluster already has the object and it is not ours: leave it and report, or take it over.",
      }),
      "Abort",
    ),
    activationPreference: s.optional(
      s.oneOf(["Lazy"], {
        doc: "Lazy makes the policy static: what it says of a resource that already runs takes effect when a user next edits that resource. Unset means at once.",
      }),
    ),
    suspension: s.optional(Suspension),
    preserveResourcesOnDeletion: s.optional(
      s.boolean({
        doc: "Whether member clusters keep their copies when the resource is deleted here. Says nothing about deleting the policy. Unset means no.",
      }),
    ),
    schedulePriority: s.optional(
      s.object(
        {
          priorityClassSource: s.oneOf(["KubePriorityClass"], { doc: "Where the priority class is looked up." }),
          priorityClassName: s.string({ doc: "The name of the priority class whose value counts." }),
        },
        { doc: "Which resources are placed first when many wait." },
      ),
    ),
  },
  { doc: "What to propagate, and how." },
);
export type PropagationSpec = s.Read<typeof PropagationSpec>;

/** In what the two propagation policies differ. */
export interface PropagationTraits {
  readonly finalizer: string;
  /** The label with the policy's permanent id, on the policy, its templates and their bindings. */
  readonly idLabel: string;
  /** The keys, as annotations and as labels, that name the policy on templates and bindings. */
  readonly nameKey: string;
  readonly namespaceKey?: string;
}

const namespacedTraits: PropagationTraits = {
  finalizer: propagationPolicyFinalizer,
  idLabel: policyIdLabel,
  nameKey: policyNameKey,
  namespaceKey: policyNamespaceKey,
};
const clusterTraits: PropagationTraits = {
  finalizer: clusterPropagationPolicyFinalizer,
  idLabel: clusterPolicyIdLabel,
  nameKey: clusterPolicyNameKey,
};

export const PropagationPolicies = defineTwins({
  group: "policy.karmada.io",
  version: "v1alpha1",
  categories: ["karmada-io"],
  spec: PropagationSpec,
  columns: [
    { name: "CONFLICT-RESOLUTION", type: "string", jsonPath: ".spec.conflictResolution" },
    { name: "PRIORITY", type: "string", jsonPath: ".spec.priority" },
    ageColumn,
  ],
  namespaced: {
    kind: "PropagationPolicy",
    plural: "propagationpolicies",
    shortNames: ["pp"],
    doc: "Propagates resources of its own namespace to member clusters.",
    traits: namespacedTraits,
  },
  cluster: {
    kind: "ClusterPropagationPolicy",
    plural: "clusterpropagationpolicies",
    shortNames: ["cpp"],
    doc: "Propagates cluster-scoped resources, and resources of any namespace that is not reserved, to member clusters.",
    traits: clusterTraits,
  },
});

/** A propagation policy of either scope. */
export type Policy = TwinOf<typeof PropagationPolicies>;
