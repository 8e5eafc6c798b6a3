import type { FeatureGates } from "#api/feature-gates.ts";
import type { Dice } from "#test/world/dice.ts";

/** A change that a user may make. */
export interface RandomEdit {
  readonly deletes: boolean;
  readonly yaml: string;
}

export const members = ["m1", "m2", "m3", "m4"];
export const namespaces = ["shop", "mall"];
const names = ["web", "api", "jobs"];
/** What policies select: how it is written, and names of it. */
const types = {
  Deployment: { apiVersion: "apps/v1", names },
  StatefulSet: { apiVersion: "apps/v1", names: ["store"] },
  ConfigMap: { apiVersion: "v1", names: ["settings"] },
  Secret: { apiVersion: "v1", names: ["password"] },
} as const;
const selected = [
  "Deployment",
  "Deployment",
  "Deployment",
  "Deployment",
  "ConfigMap",
  "ConfigMap",
  "StatefulSet",
  "Secret",
] as const;

const oneOf = (dice: Dice, ...texts: readonly (() => string)[]) => dice.of(texts)();
const list = (items: readonly string[]) => `[${items.join(", ")}]`;
const maybe = (dice: Dice, rate: number, text: () => string) => (dice.happens(rate) ? text() : "");

/** Manifests of every kind that matters to a plan, each as somebody might write it. */
const kinds: Readonly<Record<string, (dice: Dice) => string>> = {
  deployment: (dice) => deployment(dice, { name: dice.of(names), namespace: dice.of(namespaces) }),
  configMap: (dice) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${dice.of(["settings", "limits"])}, namespace: ${dice.of(namespaces)}, labels: { team: ${dice.of(["a", "b"])} } }
data: { value: "${dice.below(3)}" }
`,
  statefulSet: (dice) => `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: store, namespace: ${dice.of(namespaces)}, labels: { app: store, team: ${dice.of(["a", "b"])} } }
spec:
  serviceName: front
  replicas: ${dice.below(4)}
  selector: { matchLabels: { app: store } }
  template:
    metadata: { labels: { app: store } }
    spec:
      containers: [{ name: main, image: "redis:${dice.below(2)}"${maybe(dice, 0.4, () => ", envFrom: [{ secretRef: { name: password } }]")} }]
`,
  secret: (dice) => `
apiVersion: v1
kind: Secret
metadata: { name: password, namespace: ${dice.of(namespaces)}, labels: { team: ${dice.of(["a", "b"])} } }
stringData: { value: "${dice.below(2)}" }
`,
  service: (dice) => `
apiVersion: v1
kind: Service
metadata: { name: front, namespace: ${dice.of(namespaces)} }
spec: { selector: { app: ${dice.of(names)} }, ports: [{ port: 80 }] }
`,
  role: (dice) => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader, labels: { team: ${dice.of(["a", "b"])} } }
rules: [{ apiGroups: [""], resources: [${dice.of(["pods", "services"])}], verbs: [get] }]
`,
  policy: (dice) => `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${dice.of(["p1", "p2"])}, namespace: ${dice.of(namespaces)} }
spec:
${policySpec(dice, "")}`,
  clusterPolicy: (dice) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: ${dice.of(["c1", "c2"])} }
spec:
${policySpec(dice, dice.of(["shop", "mall", "shop, mall", "sh*", "sh*, mall"]))}`,
  override: (dice) => `
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: ${dice.of(["o1", "o2"])}, namespace: ${dice.of(namespaces)} }
spec:
${overrideSpec(dice)}`,
  clusterOverride: (dice) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterOverridePolicy
metadata: { name: ${dice.of(["g1", "g2"])} }
spec:
${overrideSpec(dice)}`,
  cluster: (dice) => `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: { name: ${dice.of(members)}, labels: { tier: ${dice.of(["gold", "silver"])}, zone: ${dice.of(["x", "z"])} } }
spec:
  syncMode: Push
  region: ${dice.of(["north", "south"])}
  taints: ${dice.of(["[]", "[]", "[{ key: cluster.karmada.io/unschedulable, effect: NoSchedule }]", "[{ key: repair, value: soon, effect: NoExecute }]", "[{ key: repair, value: now, effect: NoExecute }]"])}
`,
};

const lot = [
  ...Object.keys(kinds),
  ...[
    "deployment",
    "deployment",
    "deployment",
    "policy",
    "policy",
    "policy",
    "clusterPolicy",
    "clusterPolicy",
    "override",
  ],
];

/** What users have before the first plan. */
export function randomFleet(dice: Dice): readonly RandomEdit[] {
  const chosen = ["policy", "clusterPolicy", "override", ...Array.from({ length: 6 }, () => dice.of(lot))];
  const templates = ["deployment", "deployment", "deployment", "statefulSet", "configMap", "secret", "service", "role"];
  return [...templates, ...chosen].filter((kind) => kind !== "cluster").map((kind) => put(dice, kind));
}

/** One change, of anything. */
export function randomEdit(dice: Dice, { Failover: drivesOut }: Pick<FeatureGates, "Failover">): RandomEdit {
  const edit = put(dice, drivesOut && dice.happens(0.25) ? "cluster" : dice.of(lot));
  return { ...edit, deletes: dice.happens(0.15) };
}

function put(dice: Dice, kind: string): RandomEdit {
  return { deletes: false, yaml: kinds[kind]!(dice) };
}

function deployment(dice: Dice, { name, namespace }: { readonly name: string; readonly namespace: string }): string {
  const volume = maybe(dice, 0.4, () => "\n      volumes: [{ name: c, configMap: { name: settings } }]");
  const kept = maybe(dice, 0.1, () => `, annotations: { note: "${dice.below(3)}" }`);
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${name}, team: ${dice.of(["a", "b"])} }${kept} }
spec:
  replicas: ${dice.below(7)}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers: [{ name: main, image: "nginx:${dice.below(3)}" }]${volume}
`;
}

function selector(dice: Dice, namespace: string, named: boolean): string {
  const kind = dice.of(selected);
  const { apiVersion, names: known } = types[kind];
  const where = namespace === "" ? "" : `, namespace: "${namespace}"`;
  const name = dice.of(known);
  const which = named
    ? `, name: ${name}`
    : oneOf(
        dice,
        () => "",
        () => `, name: ${name}`,
        () => `, labelSelector: { matchLabels: { team: ${dice.of(["a", "b"])} } }`,
        () =>
          `, exclude: { ${namespace === "" || dice.happens(0.5) ? `name: ${name}` : `namespace: ${dice.of(namespaces)}`} }`,
      );
  return `{ apiVersion: ${apiVersion}, kind: ${kind}${where}${which} }`;
}

function policySpec(dice: Dice, namespace: string): string {
  const preempts = dice.happens(0.25);
  const cluster = namespace !== "" && dice.happens(0.2);
  const role = `{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: reader }`;
  const selectors = [
    selector(dice, namespace, preempts),
    ...(dice.happens(0.3) ? [selector(dice, namespace, preempts)] : []),
    ...(cluster ? [role] : []),
  ];
  return `  resourceSelectors: ${list(selectors)}
  priority: ${dice.below(4)}
  ${preempts ? "preemption: Always" : ""}
  ${maybe(dice, 0.25, () => "activationPreference: Lazy")}
  ${maybe(dice, 0.4, () => "propagateDeps: true")}
  ${maybe(dice, 0.15, () => `conflictResolution: Overwrite`)}
  ${maybe(dice, 0.1, () => `preserveResourcesOnDeletion: true`)}
  ${maybe(dice, 0.2, () => `suspension: ${dice.of(["{ dispatching: true }", "{ suspendDispatching: true }", `{ dispatchingOnClusters: { clusterNames: ${list(dice.some(members))} } }`])}`)}
  ${maybe(dice, 0.1, () => `failover: { cluster: { purgeMode: ${dice.of(["Directly", "Gracefully"])} } }`)}
  ${maybe(dice, 0.05, () => `dependentOverrides: [${namespace === "" ? "o1" : "g1"}]`)}
  ${maybe(dice, 0.1, () => `excludeResourceSelectors: [{ apiVersion: apps/v1, kind: Deployment${namespace === "" ? "" : `, namespace: shop`}, name: ${dice.of(names)} }]`)}
  placement: ${placement(dice)}
`;
}

function placement(dice: Dice): string {
  const affinity = oneOf(
    dice,
    () => `clusterAffinity: { clusterNames: ${list(dice.some(members))} }`,
    () => `clusterAffinity: { labelSelector: { matchLabels: { tier: ${dice.of(["gold", "silver"])} } } }`,
    () => `clusterAffinity: { exclude: ${list(dice.some(members))} }`,
    () =>
      `clusterAffinity: { fieldSelector: { matchExpressions: [{ key: region, operator: In, values: [${dice.of(["north", "south"])}] }] } }`,
    () =>
      `clusterAffinities: [{ affinityName: first, clusterNames: [${dice.of(members)}] }, { affinityName: second, clusterNames: ${list(dice.some(members))} }]`,
    () => "",
  );
  const replicas = oneOf(
    dice,
    () => "",
    () => "",
    () => "replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted }",
    () =>
      `replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { staticWeightList: [{ targetCluster: { clusterNames: [m1] }, weight: ${1 + dice.below(3)} }, { targetCluster: { clusterNames: [m2, m3] }, weight: 1 }] } }`,
    () => "replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated }",
    () =>
      "replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { dynamicWeight: AvailableReplicas } }",
  );
  const groups = () => `minGroups: 1, maxGroups: ${1 + dice.below(3)}`;
  const spread = maybe(dice, 0.2, () => {
    const field = dice.of(["region", "cluster", "cluster", "cluster"]);
    const over = field === "cluster" ? "" : `{ spreadByField: ${field}, ${groups()} }, `;
    return `spreadConstraints: [${over}{ spreadByField: cluster, ${groups()} }]`;
  });
  const tolerations = maybe(
    dice,
    0.3,
    () =>
      `clusterTolerations: [${dice.of(["{ operator: Exists }", "{ key: repair, operator: Exists, effect: NoExecute, tolerationSeconds: 60 }"])}]`,
  );
  return `{ ${[affinity, replicas, spread, tolerations].filter((each) => each !== "").join(", ")} }`;
}

function overrideSpec(dice: Dice): string {
  const which = oneOf(
    dice,
    () => `resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: ${dice.of(names)} }]`,
    () => "resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]",
    () => `resourceSelectors: [{ apiVersion: v1, kind: ConfigMap }]`,
    () => `resourceSelectors: [${selector(dice, "", false)}]`,
    () => "",
  );
  const where = oneOf(
    dice,
    () => `targetCluster: { clusterNames: ${list(dice.some(members))} }`,
    () => `targetCluster: { labelSelector: { matchLabels: { tier: ${dice.of(["gold", "silver"])} } } }`,
    () => "",
  );
  const what = oneOf(
    dice,
    () => `labelsOverrider: [{ operator: ${dice.of(["add", "replace"])}, value: { where: "${dice.below(3)}" } }]`,
    () => `imageOverrider: [{ component: Registry, operator: replace, value: r${dice.below(2)}.example.com }]`,
    () => `annotationsOverrider: [{ operator: add, value: { note: "${dice.below(3)}" } }]`,
    () => `argsOverrider: [{ containerName: main, operator: add, value: ["-v=${dice.below(2)}"] }]`,
    () => `plaintext: [{ path: /metadata/labels/tone, operator: add, value: "${dice.below(2)}" }]`,
  );
  return `  ${which}
  overrideRules: [{ ${[where, `overriders: { ${what} }`].filter((each) => each !== "").join(", ")} }]
`;
}
