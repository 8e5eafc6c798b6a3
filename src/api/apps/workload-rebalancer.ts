import { defineKind, type ReadKind } from "#api/kind.ts";
import * as s from "#schema/schema.ts";

const ObjectReference = s.object(
  {
    apiVersion: s.string({ doc: "The API version of the workload." }),
    kind: s.string({ doc: "The kind of the workload." }),
    namespace: s.optional(s.string({ doc: "The namespace of the workload; empty for cluster-scoped ones." })),
    name: s.string({ doc: "The name of the workload." }),
  },
  { doc: "A workload." },
);

export const WorkloadRebalancers = defineKind({
  group: "apps.karmada.io",
  version: "v1alpha1",
  kind: "WorkloadRebalancer",
  plural: "workloadrebalancers",
  namespaced: false,
  doc: "Asks once for a fresh schedule of some workloads.",
  spec: s.object(
    {
      workloads: s.list(ObjectReference, { doc: "The workloads to schedule afresh.", minItems: 1 }),
      ttlSecondsAfterFinished: s.optional(
        s.int32({ doc: "How long the rebalancer stays when it has finished. Unset means for ever." }),
      ),
    },
    { doc: "Which workloads are scheduled afresh." },
  ),
  status: s.object(
    {
      observedWorkloads: s.optional(
        s.list(
          s.object(
            {
              workload: ObjectReference,
              result: s.optional(s.string({ doc: "Successful or Failed; empty while it is being tried." })),
              reason: s.optional(s.string({ doc: "Why it failed: ReferencedBindingNotFound." })),
            },
            { doc: "What came of one workload." },
          ),
          { doc: "What came of each workload, sorted by apiVersion, kind, namespace and name." },
        ),
      ),
      observedGeneration: s.optional(s.int64({ doc: "The generation that this was said of." })),
      finishTime: s.optional(s.time({ doc: "When nothing was left to try." })),
    },
    { doc: "What came of it." },
  ),
});
export type WorkloadRebalancer = ReadKind<typeof WorkloadRebalancers>;
