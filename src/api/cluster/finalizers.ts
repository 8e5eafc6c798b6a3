/** Holds a cluster until its execution namespace is gone. */
export const clusterFinalizer = "karmada.io/cluster-controller";
