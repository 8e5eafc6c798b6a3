import * as s from "#schema/schema.ts";

/** core/v1 Toleration. */
export const Toleration = s.object(
  {
    key: s.optional(
      s.string({ doc: "The key of the tolerated taint. Empty with operator Exists tolerates every taint." }),
    ),
    operator: s.optional(s.string({ doc: "How key and value relate: Exists or Equal. Defaults to Equal." })),
    value: s.optional(s.string({ doc: "The value of the tolerated taint; empty with operator Exists." })),
    effect: s.optional(
      s.string({ doc: "The effect that is tolerated: NoSchedule, PreferNoSchedule or NoExecute. Empty means all." }),
    ),
    tolerationSeconds: s.optional(
      s.int64({ doc: "How long a NoExecute taint is tolerated. Unset means for ever, zero or less not at all." }),
    ),
  },
  { doc: "Tolerates the taints that match key, value and effect." },
);
export type Toleration = s.Read<typeof Toleration>;
