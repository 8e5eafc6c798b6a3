import { NodeSelector } from "#api/core/node-selector.ts";
import { resourceList } from "#api/core/resource-list.ts";
import { Toleration } from "#api/core/toleration.ts";
import * as s from "#schema/schema.ts";

const fields = {
  nodeClaim: s.optional(
    s.object(
      {
        hardNodeAffinity: s.optional(s.described(NodeSelector, "The node affinity that must hold.")),
        nodeSelector: s.optional(s.stringMap({ doc: "Labels that a node must have." })),
        tolerations: s.optional(s.list(Toleration, { doc: "The taints of nodes that are tolerated." })),
      },
      { doc: "Which nodes can run a replica." },
    ),
  ),
  resourceRequest: s.optional(resourceList("What one replica requests, by resource name.")),
  priorityClassName: s.optional(s.string({ doc: "The priority class of the replica's pods." })),
};

/** What one replica of a workload needs. */
export const ReplicaRequirements = s.object(
  { ...fields, namespace: s.optional(s.string({ doc: "The namespace of the workload, for quota estimates." })) },
  { doc: "What one replica needs to run." },
);
export type ReplicaRequirements = s.Read<typeof ReplicaRequirements>;

/** A part of a workload that has several kinds of pods. */
export const Component = s.object(
  {
    name: s.string({ doc: "The component's name, unique in the workload.", maxLength: 32 }),
    replicas: s.int32({ doc: "How many replicas the component has." }),
    replicaRequirements: s.optional(s.object(fields, { doc: "What one replica of the component needs to run." })),
  },
  { doc: "One of several kinds of pods that make up a workload." },
);
export type Component = s.Read<typeof Component>;
