import type { ResourceId } from "#api/meta/resource-id.ts";

export const namespaces = core("namespaces", "Namespace", { namespaced: false });
export const serviceAccounts = core("serviceaccounts", "ServiceAccount", { namespaced: true });
export const configMaps = core("configmaps", "ConfigMap", { namespaced: true });
export const secrets = core("secrets", "Secret", { namespaced: true });
export const events = core("events", "Event", { namespaced: true });
export const clusterRoles: ResourceId = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  resource: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
};
export const definitions: ResourceId = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
};

function core(resource: string, kind: string, { namespaced }: { readonly namespaced: boolean }): ResourceId {
  return { group: "", version: "v1", resource, kind, namespaced };
}
