import { ageColumn, type Column } from "#api/kind.ts";
import { Condition } from "#api/meta/condition.ts";
import { Failover } from "#api/policy/failover.ts";
import { Placement } from "#api/policy/placement.ts";
import { dispatchingSuspension } from "#api/policy/suspension.ts";
import { defineTwins, type TwinOf } from "#api/twins.ts";
import * as s from "#schema/schema.ts";
import {
  bindingIdLabel,
  bindingNameAnnotation,
  bindingNamespaceAnnotation,
  clusterBindingIdLabel,
  clusterBindingNameAnnotation,
} from "./binding-keys.ts";
import { bindingFinalizer, clusterBindingFinalizer } from "./finalizers.ts";
import { GracefulEvictionTask } from "./graceful-eviction-task.ts";
import { Component, ReplicaRequirements } from "./replica-requirements.ts";
import { TargetCluster } from "./target-cluster.ts";

/** What was last activated: a start compares with it and never assumes. */
export const Activation = s.object(
  {
    policyUID: s.string({ doc: "The uid of the policy that the binding was built from." }),
    policyGeneration: s.int64({ doc: "The generation of that policy.", minimum: 0 }),
    templateHash: s.string({
      doc: "A hash of what users see of the template: all but status, managed metadata, and labels and annotations of karmada.io.",
    }),
  },
  { doc: "Which policy and which content of the template the binding was built from. Written by the system." },
);
export type Activation = s.Read<typeof Activation>;

const ObjectReference = s.object(
  {
    apiVersion: s.string({ doc: "The API version of the template." }),
    kind: s.string({ doc: "The kind of the template." }),
    namespace: s.optional(s.string({ doc: "The namespace of the template; empty for cluster-scoped ones." })),
    name: s.string({ doc: "The name of the template." }),
    uid: s.optional(s.string({ doc: "The uid of the template." })),
    resourceVersion: s.optional(s.string({ doc: "The version of the template that the binding was built from." })),
  },
  { doc: "The template that is bound." },
);

const BindingSuspension = s.object(
  {
    ...dispatchingSuspension,
    scheduling: s.optional(
      s.boolean({
        doc: "Whether the scheduler leaves the binding alone. Never set by policies, only by third parties.",
      }),
    ),
  },
  { doc: "What of the propagation is paused." },
);

/** What both bindings say. */
export const BindingSpec = s.object(
  {
    resource: ObjectReference,
    propagateDeps: s.optional(s.boolean({ doc: "Whether what the template refers to travels with it." })),
    replicaRequirements: s.optional(ReplicaRequirements),
    replicas: s.optional(s.int32({ doc: "How many replicas the template asks for." })),
    components: s.optional(s.list(Component, { doc: "The kinds of pods of a workload that has several." })),
    clusters: s.optional(
      s.list(TargetCluster, { doc: "Where the template goes, by the scheduler. Absent means not scheduled." }),
    ),
    placement: s.optional(s.described(Placement, "Where the template may go, copied from the policy.")),
    gracefulEvictionTasks: s.optional(s.list(GracefulEvictionTask, { doc: "Copies on their way out." })),
    requiredBy: s.optional(
      s.list(
        s.object(
          {
            namespace: s.optional(s.string({ doc: "The namespace of the other binding." })),
            name: s.string({ doc: "The name of the other binding." }),
            clusters: s.optional(s.list(TargetCluster, { doc: "Where the other binding's template goes." })),
          },
          { doc: "Another binding as it was last seen." },
        ),
        { doc: "The bindings whose templates refer to this one; it follows them to their clusters." },
      ),
    ),
    schedulerName: s.optional(s.string({ doc: "The scheduler that places the template." })),
    failover: s.optional(
      s.described(Failover, "What happens when the application or its cluster fails, copied from the policy."),
    ),
    conflictResolution: s.defaulted(
      s.oneOf(["Abort", "Overwrite"], {
        doc: "What happens when a member cluster already has the object and it is not ours.",
      }),
      "Abort",
    ),
    rescheduleTriggeredAt: s.optional(
      s.time({ doc: "When someone asked for a fresh schedule; one is made if this is later than lastScheduledTime." }),
    ),
    suspension: s.optional(BindingSuspension),
    preserveResourcesOnDeletion: s.optional(
      s.boolean({ doc: "Whether member clusters keep their copies when the template is deleted." }),
    ),
    schedulePriority: s.optional(
      s.object(
        { priority: s.defaulted(s.int32({ doc: "Higher is placed first." }), 0) },
        { doc: "Which bindings are placed first when many wait." },
      ),
    ),
    workloadAffinityGroups: s.optional(
      s.object(
        {
          affinityGroup: s.optional(s.string({ doc: "The group, as key=value, that stays together." })),
          antiAffinityGroup: s.optional(s.string({ doc: "The group, as key=value, that stays apart." })),
        },
        { doc: "The groups of workloads that the template belongs to." },
      ),
    ),
    activation: s.optional(Activation),
  },
  { doc: "A template, and where it goes. A binding that is written without it names nothing and is left alone." },
);
export type BindingSpec = s.Read<typeof BindingSpec>;

const AggregatedStatusItem = s.object(
  {
    clusterName: s.string({ doc: "The cluster." }),
    status: s.optional(s.rawObject({ doc: "The status of the copy there, as the interpreter reflects it." })),
    applied: s.optional(s.boolean({ doc: "Whether the manifest was applied there." })),
    appliedMessage: s.optional(s.string({ doc: "Why it was not." })),
    health: s.optional(s.oneOf(["Healthy", "Unhealthy", "Unknown"], { doc: "How the copy there fares." })),
  },
  { doc: "The state of one copy." },
);

/** What is known of both bindings. */
export const BindingStatus = s.object(
  {
    schedulerObservedGeneration: s.optional(s.int64({ doc: "The generation that the scheduler last looked at." })),
    schedulerObservingAffinityName: s.optional(
      s.string({ doc: "The group of clusterAffinities that the schedule comes from." }),
    ),
    lastScheduledTime: s.optional(s.time({ doc: "When the binding was last scheduled." })),
    conditions: s.optional(s.list(Condition, { doc: "Scheduled, and FullyApplied." })),
    aggregatedStatus: s.optional(s.list(AggregatedStatusItem, { doc: "The state of each copy, sorted by cluster." })),
  },
  { doc: "How far the template has come." },
);
export type BindingStatus = s.Read<typeof BindingStatus>;

/** In what the two bindings differ. */
export interface BindingTraits {
  readonly finalizer: string;
  /** The label with the binding's permanent id, on the binding, its works and their manifests. */
  readonly idLabel: string;
  /** The annotations that name the binding on its works. */
  readonly nameAnnotation: string;
  readonly namespaceAnnotation?: string;
}

const columns: readonly Column[] = [
  { name: "SCHEDULED", type: "string", jsonPath: '.status.conditions[?(@.type=="Scheduled")].status' },
  { name: "FULLYAPPLIED", type: "string", jsonPath: '.status.conditions[?(@.type=="FullyApplied")].status' },
  { name: "PENDING", type: "string", jsonPath: '.status.conditions[?(@.type=="PolicyPending")].status' },
  ageColumn,
];

const namespacedTraits: BindingTraits = {
  finalizer: bindingFinalizer,
  idLabel: bindingIdLabel,
  nameAnnotation: bindingNameAnnotation,
  namespaceAnnotation: bindingNamespaceAnnotation,
};
const clusterTraits: BindingTraits = {
  finalizer: clusterBindingFinalizer,
  idLabel: clusterBindingIdLabel,
  nameAnnotation: clusterBindingNameAnnotation,
};

export const ResourceBindings = defineTwins({
  group: "work.karmada.io",
  version: "v1alpha2",
  categories: ["karmada-io"],
  // The proposals print a binding without spec; it is accepted and means nothing.
  spec: s.defaulted(BindingSpec, { resource: { apiVersion: "", kind: "", name: "" } }).defaulted,
  status: BindingStatus,
  columns,
  namespaced: {
    kind: "ResourceBinding",
    plural: "resourcebindings",
    shortNames: ["rb"],
    doc: "Binds a namespaced template to the clusters it goes to.",
    traits: namespacedTraits,
  },
  cluster: {
    kind: "ClusterResourceBinding",
    plural: "clusterresourcebindings",
    shortNames: ["crb"],
    doc: "Binds a cluster-scoped template to the clusters it goes to.",
    traits: clusterTraits,
  },
});

/** A binding of either scope. */
export type Binding = TwinOf<typeof ResourceBindings>;
