import type { ResourceId } from "#api/meta/resource-id.ts";

const rbac = "rbac.authorization.k8s.io";
const registration = "admissionregistration.k8s.io";

/** Where the kinds of Kubernetes are served that commands write, by kind. */
export const kubernetesResources = {
  Namespace: clusterScoped("", "Namespace"),
  ServiceAccount: namespaced("", "ServiceAccount"),
  Secret: namespaced("", "Secret"),
  ClusterRole: clusterScoped(rbac, "ClusterRole"),
  ClusterRoleBinding: clusterScoped(rbac, "ClusterRoleBinding"),
  Role: namespaced(rbac, "Role"),
  RoleBinding: namespaced(rbac, "RoleBinding"),
  CustomResourceDefinition: clusterScoped("apiextensions.k8s.io", "CustomResourceDefinition"),
  MutatingWebhookConfiguration: clusterScoped(registration, "MutatingWebhookConfiguration"),
  ValidatingWebhookConfiguration: clusterScoped(registration, "ValidatingWebhookConfiguration"),
} as const satisfies Readonly<Record<string, ResourceId>>;

export type KubernetesKind = keyof typeof kubernetesResources;

function namespaced(group: string, kind: string): ResourceId {
  return { group, version: "v1", resource: `${kind.toLowerCase()}s`, kind, namespaced: true };
}

function clusterScoped(group: string, kind: string): ResourceId {
  return { ...namespaced(group, kind), namespaced: false };
}
