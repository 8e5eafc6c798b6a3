const native: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage", "pods"]);

/** Whether nodes have amounts of a resource, so that a pod's request for it counts. */
export function isNodeResource(resource: string): boolean {
  if (native.has(resource) || resource.startsWith("hugepages-") || resource.startsWith("attachable-volumes-"))
    return true;
  return resource.includes("kubernetes.io/") || (resource.includes("/") && !resource.startsWith("requests."));
}
