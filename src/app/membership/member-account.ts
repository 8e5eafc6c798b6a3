import { type KubernetesKind, kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { NewObject } from "#client/client.ts";
import { installedLabels } from "../installation/names.ts";

/** Who we are in a member: names equal karmadactl's, so that either program finds what the other made. */
export interface MemberAccount {
  /** The name of the cluster in the control plane. */
  readonly cluster: string;
  /** The namespace in the member. */
  readonly namespace: string;
}

/** The service account that works are sent by. */
export function accountName({ cluster }: Pick<MemberAccount, "cluster">): string {
  return `karmada-${cluster}`;
}

/** The service account under which users are impersonated; it may do nothing until somebody grants it that. */
export const impersonatorName = "karmada-impersonator";

export function roleName(account: Pick<MemberAccount, "cluster">): string {
  return `karmada-controller-manager:${accountName(account)}`;
}

/**
 * What sending, repairing, reporting and removing take. Any kind may be sent, hence the stars; but neither may roles be given away that
 * we have not got (`escalate`, `bind`), nor may we act as somebody else (`impersonate`).
 */
const rules = [
  {
    apiGroups: ["*"],
    resources: ["*"],
    verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
  },
  {
    nonResourceURLs: ["/healthz", "/readyz", "/version", "/version/", "/api", "/api/*", "/apis", "/apis/*"],
    verbs: ["get"],
  },
];

/** What is written to a member, in this order. The secrets are filled by the member itself. */
export function accountObjects(account: MemberAccount): readonly NewObject[] {
  const { namespace } = account;
  const name = accountName(account);
  const role = roleName(account);
  const rbac = "rbac.authorization.k8s.io";
  const core = (
    kind: KubernetesKind,
    own: { readonly name: string; readonly annotations?: Record<string, string> },
  ) => ({
    apiVersion: "v1",
    kind,
    metadata: { ...own, namespace, labels: installedLabels },
  });
  const token = (of: string) => ({
    ...core("Secret", { name: of, annotations: { "kubernetes.io/service-account.name": of } }),
    type: "kubernetes.io/service-account-token",
  });
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: installedLabels } },
    core("ServiceAccount", { name }),
    core("ServiceAccount", { name: impersonatorName }),
    { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name: role, labels: installedLabels }, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: role, labels: installedLabels },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
    token(name),
    token(impersonatorName),
  ];
}

/** Where an object of an account is served. */
export function resourceOfAccount({ kind }: Pick<NewObject, "kind">): ResourceId {
  return kubernetesResources[kind as KubernetesKind]; // the objects above are of no other kind
}
