/** Where the system itself runs. */
export const systemNamespace = "karmada-system";
/** Where the secrets of clusters and the leases of agents are. */
export const clusterNamespace = "karmada-cluster";
/** Before the name of a cluster: the namespace of its works. */
export const executionNamespacePrefix = "karmada-es-";

/** The namespace that holds the works of a cluster. */
export function executionNamespaceOf(cluster: string): string {
  return `${executionNamespacePrefix}${cluster}`;
}

/** Whether a namespace is the system's own: nothing in it is ever propagated. */
export function isReservedNamespace(namespace: string): boolean {
  return (
    namespace === systemNamespace || namespace === clusterNamespace || namespace.startsWith(executionNamespacePrefix)
  );
}
