import * as s from "#schema/schema.ts";

const SuspendedClusters = s.object(
  { clusterNames: s.optional(s.strings({ doc: "The clusters that receive no changes." })) },
  { doc: "A group of clusters, by name." },
);

const twoNames = "Two names, one meaning: what is written is stored and copied as written.";

/** The fields with which a policy pauses dispatching. */
export const dispatchingSuspension = {
  dispatching: s.optional(
    s.boolean({
      doc: `Whether changes are kept from all clusters. Not together with a list of clusters. ${twoNames} The other is suspendDispatching.`,
    }),
  ),
  dispatchingOnClusters: s.optional(
    s.described(
      SuspendedClusters,
      `Keeps changes from these clusters. ${twoNames} The other is suspendDispatchingOnClusters.`,
    ),
  ),
  suspendDispatching: s.optional(
    s.boolean({
      doc: `Whether changes are kept from all clusters. Not together with a list of clusters. ${twoNames} The other is dispatching.`,
    }),
  ),
  suspendDispatchingOnClusters: s.optional(
    s.described(
      SuspendedClusters,
      `Keeps changes from these clusters. ${twoNames} The other is dispatchingOnClusters.`,
    ),
  ),
};

/** What of the propagation is paused. */
export const Suspension = s.object(dispatchingSuspension, {
  doc: "Pauses parts of the propagation. Deletion is never paused; failover is paused with dispatching.",
});
export type Suspension = s.Read<typeof Suspension>;
