/** Taint of a cordoned cluster, effect NoSchedule. */
export const unschedulableTaint = "cluster.karmada.io/unschedulable";
/** Taint of a cluster that answers but is not well, effect NoSchedule. */
export const notReadyTaint = "cluster.karmada.io/not-ready";
/** Taint of a cluster that does not answer, effect NoSchedule. */
export const unreachableTaint = "cluster.karmada.io/unreachable";
