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

/** The cluster whose works a namespace holds; undefined for any other namespace. */
export function clusterOfExecutionNamespace(namespace: string): string | undefined {
  return namespace.startsWith(executionNamespacePrefix) ? namespace.slice(executionNamespacePrefix.length) : undefined;
}

/** What users read where a work stands in a namespace of no cluster. */
export const notAnExecutionNamespace = "the execution space name is in wrong format";

/** Whether a namespace is the system's own: nothing in it is ever propagated. */
export function isReservedNamespace(namespace: string): boolean {
  return (
    namespace === systemNamespace || namespace === clusterNamespace || namespace.startsWith(executionNamespacePrefix)
  );
}
