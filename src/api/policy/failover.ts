import * as s from "#schema/schema.ts";

const StatePreservation = s.object(
  {
    rules: s.list(
      s.object(
        {
          aliasLabelName: s.string({ doc: "The label that carries the value to the new cluster." }),
          jsonPath: s.string({ doc: "Where the value stands, as a JSON path below the resource's status." }),
        },
        { doc: "One value that survives the move." },
      ),
      { doc: "The values that survive." },
    ),
  },
  { doc: "What of the status is handed over to the new cluster, as labels." },
);

/** What happens when an application or its cluster fails. */
export const Failover = s.object(
  {
    application: s.optional(
      s.object(
        {
          decisionConditions: s.object(
            {
              tolerationSeconds: s.defaulted(
                s.int32({ doc: "How long the application may be unhealthy before it moves." }),
                300,
              ),
            },
            { doc: "When an application counts as failed." },
          ),
          purgeMode: s.defaulted(
            s.oneOf(["Directly", "Gracefully", "Never"], {
              doc: "When the old copy goes: at once, when the new one is healthy or the grace period is over, or only by hand.",
            }),
            "Gracefully",
          ),
          gracePeriodSeconds: s.optional(
            s.int32({
              doc: "The longest wait before the old copy goes. Only for Gracefully, where 600 is set when it is empty.",
            }),
          ),
          statePreservation: s.optional(StatePreservation),
        },
        { doc: "Moves an application that is unhealthy in a cluster. Unset means that it stays." },
      ),
    ),
    cluster: s.optional(
      s.object(
        {
          purgeMode: s.defaulted(
            s.oneOf(["Directly", "Gracefully"], {
              doc: "When the old copy goes: at once, or when the new one is healthy or the grace period is over.",
            }),
            "Gracefully",
          ),
          statePreservation: s.optional(StatePreservation),
        },
        { doc: "How applications leave a cluster that failed." },
      ),
    ),
  },
  { doc: "What happens when an application or its cluster fails." },
);
export type Failover = s.Read<typeof Failover>;
