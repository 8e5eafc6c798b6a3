import { crdOf } from "#api/crd-of.ts";
import type { Kind } from "#api/kind.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { ourKinds } from "#api/our-kinds.ts";
import { loadBuiltinKinds } from "#app/builtin-kinds.ts";
import { publishSchema } from "#schema/publish.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { collectionOf, type Sample } from "./sample-objects.ts";

/** The definitions of our own kinds, as they are installed on any Kubernetes. */
export function ourDefinitions(): readonly Fields[] {
  return ourKinds.map((kind) => crdOf(kind) as Fields); // plain JSON
}

const placement = {
  clusterAffinity: { clusterNames: ["m1"], labelSelector: { matchLabels: { a: "b" } } },
  clusterTolerations: [{ key: "a", operator: "Exists", effect: "NoExecute" }],
  spreadConstraints: [{ spreadByField: "cluster", minGroups: 1, maxGroups: 2 }],
  replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Weighted" },
};
const selector = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const overrides = {
  resourceSelectors: [selector],
  overrideRules: [
    {
      targetCluster: { clusterNames: ["m1"] },
      overriders: { plaintext: [{ path: "/spec/replicas", operator: "replace", value: 1 }] },
    },
  ],
};
const binding = {
  resource: { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "web" },
  replicas: 2,
  clusters: [{ name: "m1", replicas: 2 }],
  placement,
};

const specs: Readonly<Record<string, Fields>> = {
  PropagationPolicy: { resourceSelectors: [selector], placement, priority: 1, conflictResolution: "Overwrite" },
  ClusterPropagationPolicy: { resourceSelectors: [selector], placement },
  OverridePolicy: overrides,
  ClusterOverridePolicy: overrides,
  ResourceBinding: binding,
  ClusterResourceBinding: binding,
  Work: {
    workload: {
      manifests: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "d" }, data: {} }],
    },
    suspendDispatching: false,
  },
  Cluster: {
    syncMode: "Push",
    apiEndpoint: "https://m1",
    secretRef: { namespace: "n", name: "s" },
    taints: [{ key: "a", effect: "NoSchedule" }],
  },
  WorkloadRebalancer: { workloads: [{ apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "web" }] },
};

/** One object of each of our kinds that the schema of its definition accepts. */
export function customSamples(): readonly Sample[] {
  const metadata = loadBuiltinKinds().resources.find(({ kind }) => kind === "ConfigMap")?.schema.properties?.[
    "metadata"
  ];
  return ourKinds.flatMap((kind) => {
    const spec = specs[kind.kind];
    return spec === undefined ? [] : [sampleOf(kind, spec, metadata)];
  });
}

function sampleOf(kind: Kind, spec: Fields, metadata: SchemaNode | undefined): Sample {
  const published = publishSchema(kind.schema) as SchemaNode; // a schema is plain JSON
  const schema = { ...published, properties: { ...published.properties, ...(metadata && { metadata }) } };
  const { group, version, plural, namespaced } = kind;
  const name = kind.kind.toLowerCase();
  const object = {
    apiVersion: `${group}/${version}`,
    kind: kind.kind,
    metadata: { name, ...(namespaced ? { namespace: "default" } : {}) },
    spec,
  };
  const type = { group, version, plural, namespaced, schema };
  return { name: kind.kind, type, object, collection: collectionOf(type) };
}
