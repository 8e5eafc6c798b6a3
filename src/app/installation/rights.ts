import { systemNamespace } from "#api/cluster/namespaces.ts";
import type { KubernetesKind } from "#api/core/kubernetes-resources.ts";
import type { NewObject } from "#client/client.ts";
import { publishedAt } from "../published-settings.ts";
import {
  controllersAccount,
  installedLabels,
  webhookAccount,
  webhookCertificateSecret,
  webhookConfiguration,
} from "./names.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const reading = ["get", "list", "watch"];

/**
 * What the controllers do in the control plane. Any kind may be a template: it is watched, marked with its policy and gets its
 * status, hence the stars; nothing but our own objects, namespaces of works and events is ever created or deleted.
 */
const controllerRules: readonly Rule[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: [...reading, "update", "patch"] },
  {
    apiGroups: ["work.karmada.io"],
    resources: ["resourcebindings", "clusterresourcebindings", "works"],
    verbs: ["create", "delete"],
  },
  { apiGroups: ["apps.karmada.io"], resources: ["workloadrebalancers"], verbs: ["delete"] },
  { apiGroups: [""], resources: ["namespaces"], verbs: ["create", "delete"] },
  { apiGroups: ["", "events.k8s.io"], resources: ["events"], verbs: ["create"] },
];

/** Leases are created in the system's own namespace alone, and so is what says how the controllers were started. */
const leaderRules: readonly Rule[] = [
  { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: [...reading, "create", "update", "patch"] },
];

const configurations = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];

/** What the webhook looks up to judge, and the configurations that it keeps its certificate's authority in. */
const webhookRules: readonly Rule[] = [
  { apiGroups: ["config.karmada.io"], resources: ["resourceinterpretercustomizations"], verbs: reading },
  { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs: reading },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
  { apiGroups: ["admissionregistration.k8s.io"], resources: configurations, verbs: reading },
  {
    apiGroups: ["admissionregistration.k8s.io"],
    resources: configurations,
    verbs: ["update"],
    resourceNames: [webhookConfiguration],
  },
];

/** What the controllers say of how they were started. */
const settingsRules: readonly Rule[] = [
  { apiGroups: [""], resources: ["configmaps"], verbs: reading, resourceNames: [publishedAt.name] },
];

/** The right to create cannot be confined to a name; all else is. */
const certificateRules: readonly Rule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
  { apiGroups: [""], resources: ["secrets"], verbs: ["get", "update"], resourceNames: [webhookCertificateSecret] },
];

/** Service accounts with what they may do, in the whole cluster and in the system's namespace. */
export function rightsObjects(): readonly NewObject[] {
  return [
    ...rightsOf(controllersAccount, { everywhere: controllerRules, here: leaderRules }),
    ...rightsOf(webhookAccount, { everywhere: webhookRules, here: [...certificateRules, ...settingsRules] }),
  ];
}

interface Rights {
  readonly everywhere: readonly Rule[];
  readonly here: readonly Rule[];
}

function rightsOf(name: string, { everywhere, here }: Rights): readonly NewObject[] {
  const subjects = [{ kind: "ServiceAccount", name, namespace: systemNamespace }];
  const roleRef = (kind: KubernetesKind) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });
  const object = (kind: KubernetesKind, namespace?: string) => ({
    apiVersion: kind === "ServiceAccount" ? "v1" : "rbac.authorization.k8s.io/v1",
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }), labels: installedLabels },
  });
  return [
    object("ServiceAccount", systemNamespace),
    { ...object("ClusterRole"), rules: everywhere },
    { ...object("ClusterRoleBinding"), roleRef: roleRef("ClusterRole"), subjects },
    { ...object("Role", systemNamespace), rules: here },
    { ...object("RoleBinding", systemNamespace), roleRef: roleRef("Role"), subjects },
  ];
}
