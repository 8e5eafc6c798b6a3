import * as s from "#schema/schema.ts";

/** A copy on its way out of a cluster. */
export const GracefulEvictionTask = s.object(
  {
    fromCluster: s.string({ doc: "The cluster that is left." }),
    purgeMode: s.optional(s.oneOf(["Directly", "Gracefully", "Never"], { doc: "When the copy there goes." })),
    replicas: s.optional(s.int32({ doc: "How many replicas it ran." })),
    reason: s.string({
      doc: "Why, in one word: TaintUntolerated, ApplicationFailure.",
      minLength: 1,
      maxLength: 32,
      pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
    }),
    message: s.optional(s.string({ doc: "Why, for people.", maxLength: 1024 })),
    producer: s.string({ doc: "Who decided it." }),
    gracePeriodSeconds: s.optional(s.int32({ doc: "The longest wait before the copy goes." })),
    suppressDeletion: s.optional(s.boolean({ doc: "Whether the copy stays until someone says otherwise." })),
    preservedLabelState: s.optional(s.stringMap({ doc: "What of the status is handed over, as labels." })),
    creationTimestamp: s.optional(s.time({ doc: "When the task was made; the grace period counts from here." })),
    clustersBeforeFailover: s.optional(s.strings({ doc: "Where the workload ran before." })),
  },
  { doc: "A copy that leaves a cluster once a new one is ready." },
);
export type GracefulEvictionTask = s.Read<typeof GracefulEvictionTask>;
