import { isReservedNamespace } from "#api/cluster/namespaces.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";

const skippedGroups: ReadonlySet<string> = new Set([
  "apiregistration.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "coordination.k8s.io",
  "events.k8s.io",
]);

/** Whether objects of a resource can be templates: anything that users may want elsewhere, nothing that is ours or only news. */
export function isPropagatable({ group, kind }: ResourceId): boolean {
  if (skippedGroups.has(group) || group === "karmada.io" || group.endsWith(".karmada.io")) return false;
  return !(group === "" && (kind === "Event" || kind === "Binding" || kind === "ComponentStatus"));
}

/** Namespaces whose content is never propagated. Hard-coded: no flag may open the system's own. */
export function isSkippedNamespace(namespace: string | undefined): boolean {
  return namespace !== undefined && (isReservedNamespace(namespace) || namespace.startsWith("kube-"));
}
