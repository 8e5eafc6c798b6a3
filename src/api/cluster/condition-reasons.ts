/** Conditions of clusters: types, reasons and fixed messages that clients match on. */
export const readyCondition = {
  type: "Ready",
  ready: { reason: "ClusterReady", message: "cluster is healthy and ready to accept workloads" },
  notReady: {
    reason: "ClusterNotReady",
    message: "cluster is reachable but health endpoint responded without ok",
  },
  notReachable: { reason: "ClusterNotReachable", message: "cluster is not reachable" },
  /** Ours: Karmada says ClusterNotReady. */
  credentialsRefused: {
    reason: "ClusterCredentialsRefused",
    message: "cluster is reachable but refuses the credentials of its secret (401 or 403): renew them",
  },
  statusCollectionFailed: "StatusCollectionFailed",
  statusUnknown: "ClusterStatusUnknown",
  statusNeverUpdated: "ClusterStatusNeverUpdated",
  /** Ours: see clusterIdMismatchCondition. */
  idMismatch: "ClusterIDMismatch",
} as const;

/** True while another cluster answers than the one that joined; absent otherwise. */
export const clusterIdMismatchCondition = { type: "ClusterIDMismatch", reason: "ClusterIDMismatch" } as const;

export const completeAPIEnablementsCondition = {
  type: "CompleteAPIEnablements",
  complete: "Complete",
  partial: "Partial",
  empty: "Empty",
} as const;
