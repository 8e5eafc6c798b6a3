import type { NewObject } from "#client/client.ts";

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];
const rbac = "rbac.authorization.k8s.io";

/** Namespaced kinds that people work with; credentials and roles are added where they may be seen. */
const workloads: readonly Rule[] = [
  {
    verbs: [],
    apiGroups: [""],
    resources: [
      "configmaps",
      "endpoints",
      "events",
      "persistentvolumeclaims",
      "pods",
      "pods/status",
      "pods/log",
      "replicationcontrollers",
      "replicationcontrollers/scale",
      "serviceaccounts",
      "services",
      "services/status",
    ],
  },
  {
    verbs: [],
    apiGroups: ["apps"],
    resources: [
      "controllerrevisions",
      "daemonsets",
      "deployments",
      "deployments/scale",
      "replicasets",
      "replicasets/scale",
      "statefulsets",
      "statefulsets/scale",
    ],
  },
  { verbs: [], apiGroups: ["batch"], resources: ["cronjobs", "jobs"] },
  { verbs: [], apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"] },
  { verbs: [], apiGroups: ["networking.k8s.io"], resources: ["ingresses", "networkpolicies"] },
  { verbs: [], apiGroups: ["policy"], resources: ["poddisruptionbudgets"] },
  { verbs: [], apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"] },
  { verbs: [], apiGroups: ["coordination.k8s.io"], resources: ["leases"] },
];

/** What a team may place and override in its own namespace. Bindings, works and everything cluster-wide stay the system's. */
const policies: Rule = {
  verbs: [],
  apiGroups: ["policy.karmada.io"],
  resources: ["propagationpolicies", "overridepolicies"],
};
const secrets: Rule = { verbs: [], apiGroups: [""], resources: ["secrets"] };
const seen: readonly Rule[] = [
  { verbs: read, apiGroups: [""], resources: ["namespaces", "limitranges", "resourcequotas"] },
  { verbs: read, apiGroups: ["work.karmada.io"], resources: ["resourcebindings"] },
];

const withVerbs = (verbs: readonly string[], rules: readonly Rule[]): readonly Rule[] =>
  rules.map((rule) => ({ ...rule, verbs }));

const viewRules = [...withVerbs(read, [...workloads, policies]), ...seen];
const editRules = [...viewRules, ...withVerbs([...read, ...write], [...workloads, policies, secrets])];
const adminRules = [
  ...editRules,
  { verbs: [...read, ...write], apiGroups: [rbac], resources: ["rolebindings", "roles"] },
  { verbs: ["create"], apiGroups: ["authorization.k8s.io"], resources: ["localsubjectaccessreviews"] },
];

const clusterRoles: Readonly<Record<string, readonly Rule[]>> = {
  "cluster-admin": [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ],
  admin: adminRules,
  edit: editRules,
  view: viewRules,
  "system:basic-user": [
    {
      verbs: ["create"],
      apiGroups: ["authorization.k8s.io"],
      resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
    },
    { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
  ],
  "system:discovery": [
    {
      verbs: ["get"],
      nonResourceURLs: [
        "/",
        "/api",
        "/api/*",
        "/apis",
        "/apis/*",
        "/healthz",
        "/livez",
        "/openapi",
        "/openapi/*",
        "/readyz",
        "/version",
        "/version/",
      ],
    },
  ],
  "system:monitoring": [
    {
      verbs: ["get"],
      nonResourceURLs: [
        "/healthz",
        "/healthz/*",
        "/livez",
        "/livez/*",
        "/metrics",
        "/metrics/slis",
        "/readyz",
        "/readyz/*",
      ],
    },
  ],
  "system:public-info-viewer": [
    { verbs: ["get"], nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"] },
  ],
};

const clusterRoleBindings: Readonly<Record<string, string>> = {
  "cluster-admin": "system:masters",
  "system:basic-user": "system:authenticated",
  "system:discovery": "system:authenticated",
  "system:monitoring": "system:monitoring",
};

const labels = { "kubernetes.io/bootstrapping": "rbac-defaults" };
const apiVersion = `${rbac}/v1`;

/** The roles and bindings that every cluster has from its first start; what somebody changed since is left alone. */
export function bootstrapRoles(): readonly {
  readonly resource: "clusterroles" | "clusterrolebindings";
  readonly object: NewObject;
}[] {
  const roles = Object.entries(clusterRoles).map(([name, rules]) => ({
    resource: "clusterroles" as const,
    object: { apiVersion, kind: "ClusterRole", metadata: { name, labels }, rules },
  }));
  const bindings = Object.entries(clusterRoleBindings).map(([name, group]) => ({
    resource: "clusterrolebindings" as const,
    object: {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name, labels },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
      subjects: [{ kind: "Group", apiGroup: rbac, name: group }],
    },
  }));
  return [...roles, ...bindings];
}
