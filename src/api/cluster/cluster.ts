import { resourceList } from "#api/core/resource-list.ts";
import { Taint } from "#api/core/taint.ts";
import { defineKind, type ReadKind } from "#api/kind.ts";
import { LooseCondition } from "#api/meta/condition.ts";
import * as s from "#schema/schema.ts";

const SecretReference = s.object(
  {
    namespace: s.string({ doc: "The namespace of the secret: karmada-cluster, or one that the operator lists." }),
    name: s.string({ doc: "The name of the secret." }),
  },
  { doc: "Points to a secret." },
);

const ResourceModel = s.object(
  {
    grade: s.integer({ doc: "The grade of the nodes, unique in the list.", minimum: 0 }),
    ranges: s.list(
      s.object(
        {
          name: s.string({ doc: "The resource." }),
          min: s.quantity({ doc: "At least this much, inclusive." }),
          max: s.quantity({ doc: "Less than this much." }),
        },
        { doc: "How much of a resource a node of this grade has." },
      ),
      { doc: "The ranges of all resources that make the grade." },
    ),
  },
  { doc: "A grade of nodes by what they offer." },
);

/** How a member cluster is reached, and what it is. */
export const ClusterSpec = s.object(
  {
    id: s.optional(s.string({ doc: "Tells this cluster from all others, whatever it is called." })),
    syncMode: s.oneOf(["Push", "Pull"], {
      doc: "Whether the control plane pushes to the cluster or an agent there pulls.",
    }),
    apiEndpoint: s.optional(s.string({ doc: "The address of the cluster's API server: host, host:port or URL." })),
    secretRef: s.optional(
      s.described(SecretReference, "The credentials for the cluster: token and caBundle. Needed in Push mode."),
    ),
    impersonatorSecretRef: s.optional(
      s.described(SecretReference, "The token with which users are impersonated through the proxy."),
    ),
    insecureSkipTLSVerification: s.optional(
      s.boolean({ doc: "Whether the cluster's certificate is not checked. Not for production." }),
    ),
    proxyURL: s.optional(s.string({ doc: "The proxy in front of the cluster: http, https or socks5." })),
    proxyHeader: s.optional(s.stringMap({ doc: "Headers that the proxy receives." })),
    provider: s.optional(s.string({ doc: "The provider of the cluster." })),
    region: s.optional(s.string({ doc: "The region of the cluster." })),
    zone: s.optional(s.string({ doc: "Deprecated; moved into zones. Not together with zones." })),
    zones: s.optional(s.strings({ doc: "The failure zones of the cluster." })),
    taints: s.optional(s.list(Taint, { doc: "Keep away, or drive out, what does not tolerate them." })),
    resourceModels: s.optional(
      s.list(ResourceModel, {
        doc: "Grades of nodes for estimates: unique, of the same resources, their ranges touching, from 0 to the largest integer.",
      }),
    ),
  },
  { doc: "How the cluster is reached, and what it is." },
);
export type ClusterSpec = s.Read<typeof ClusterSpec>;

const APIEnablement = s.object(
  {
    groupVersion: s.string({ doc: "The API group and version." }),
    resources: s.optional(
      s.list(
        s.object(
          {
            name: s.string({ doc: "The plural name of the resource." }),
            kind: s.string({ doc: "The kind of the resource." }),
          },
          { doc: "A resource." },
        ),
        { doc: "The resources of this version." },
      ),
    ),
  },
  { doc: "A version of an API group that the cluster serves." },
);

/** What is known of a member cluster. */
export const ClusterStatus = s.object(
  {
    kubernetesVersion: s.optional(s.string({ doc: "The version of Kubernetes." })),
    apiEnablements: s.optional(s.list(APIEnablement, { doc: "The APIs that the cluster serves." })),
    conditions: s.optional(
      s.list(LooseCondition, { doc: "Ready, and CompleteAPIEnablements; others may write theirs." }),
    ),
    nodeSummary: s.optional(
      s.object(
        {
          totalNum: s.optional(s.int32({ doc: "How many nodes there are." })),
          readyNum: s.optional(s.int32({ doc: "How many of them are ready." })),
        },
        { doc: "The nodes in numbers." },
      ),
    ),
    resourceSummary: s.optional(
      s.object(
        {
          allocatable: s.optional(resourceList("What the cluster offers.")),
          allocating: s.optional(resourceList("What pods that wait for a node request.")),
          allocated: s.optional(resourceList("What pods on nodes request.")),
          allocatableModelings: s.optional(
            s.list(
              s.object(
                {
                  grade: s.integer({ doc: "The grade.", minimum: 0 }),
                  count: s.integer({ doc: "How many nodes have it." }),
                },
                { doc: "The nodes of one grade." },
              ),
              { doc: "The nodes by grade." },
            ),
          ),
        },
        { doc: "What the cluster offers and what is taken." },
      ),
    ),
    remedyActions: s.optional(s.strings({ doc: "The remedies in force." })),
  },
  { doc: "What is known of the cluster." },
);
export type ClusterStatus = s.Read<typeof ClusterStatus>;

export const Clusters = defineKind({
  group: "cluster.karmada.io",
  version: "v1alpha1",
  kind: "Cluster",
  plural: "clusters",
  namespaced: false,
  doc: "A member cluster.",
  spec: ClusterSpec,
  status: ClusterStatus,
  columns: [
    { name: "Version", type: "string", jsonPath: ".status.kubernetesVersion" },
    { name: "Mode", type: "string", jsonPath: ".spec.syncMode" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "Zones", type: "string", jsonPath: ".spec.zones", priority: 1 },
    { name: "Region", type: "string", jsonPath: ".spec.region", priority: 1 },
    { name: "Provider", type: "string", jsonPath: ".spec.provider", priority: 1 },
    { name: "API-Endpoint", type: "string", jsonPath: ".spec.apiEndpoint", priority: 1 },
    { name: "Proxy-URL", type: "string", jsonPath: ".spec.proxyURL", priority: 1 },
  ],
});
export type Cluster = ReadKind<typeof Clusters>;
