import { describe, expect, test } from "vitest";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { policyOf } from "#test/samples/policies.ts";
import { policyIdentityErrors, propagationPolicyErrors } from "./validate-propagation-policy.ts";

const facts = { isClusterScoped: ({ kind }: { readonly kind: string }) => kind === "ClusterRole" };
const deployments = { apiVersion: "apps/v1", kind: "Deployment" };
const found = (policy: Policy) =>
  propagationPolicyErrors(policy, facts).map(({ path, detail }) => `${path}: ${detail}`);
const paths = (policy: Policy) => propagationPolicyErrors(policy, facts).map(({ path }) => path);

describe.each([
  { scope: "a namespaced policy", namespace: "shop" },
  { scope: "a cluster-scoped policy", namespace: undefined },
])("$scope", ({ namespace }) => {
  const home = namespace === undefined ? {} : { namespace };
  const own = { ...deployments, ...home, name: "web" };
  const withSpec = (spec: Partial<Policy["spec"]>): Policy => {
    const policy = policyOf({ name: "p", ...home, selectors: [own] });
    return { ...policy, spec: { ...policy.spec, ...spec } };
  };
  const clusters = { clusterNames: ["m1"] };
  const suspensionPath = ["spec.suspension.suspension"];

  test.each<[string, Partial<Policy["spec"]>, string[]]>([
    ["nothing is wrong with a plain policy", {}, []],
    [
      "all and some clusters, Karmada's names",
      { suspension: { dispatching: true, dispatchingOnClusters: clusters } },
      suspensionPath,
    ],
    [
      "all and some clusters, the proposal's names",
      { suspension: { suspendDispatching: true, suspendDispatchingOnClusters: clusters } },
      suspensionPath,
    ],
    [
      "all and some clusters, mixed",
      { suspension: { dispatching: true, suspendDispatchingOnClusters: clusters } },
      suspensionPath,
    ],
    [
      "all and some clusters, mixed the other way",
      { suspension: { suspendDispatching: true, dispatchingOnClusters: clusters } },
      suspensionPath,
    ],
    [
      "one name says no, the other yes",
      { suspension: { dispatching: false, suspendDispatching: true, dispatchingOnClusters: clusters } },
      suspensionPath,
    ],
    [
      "some clusters in both lists",
      { suspension: { suspendDispatchingOnClusters: clusters, dispatchingOnClusters: clusters } },
      [],
    ],
    [
      "all clusters and an empty list",
      { suspension: { suspendDispatching: true, dispatchingOnClusters: { clusterNames: [] } } },
      [],
    ],
    ["an exclude of a namespace", { resourceSelectors: [{ ...own, exclude: { namespace: "a,b-*" } }] }, []],
    ["an exclude of a name", { resourceSelectors: [{ ...own, exclude: { name: "x" } }] }, []],
    ["an exclude of nothing", { resourceSelectors: [{ ...own, exclude: {} }] }, ["spec.resourceSelectors[0].exclude"]],
    [
      "an exclude of two empty texts",
      { resourceSelectors: [{ ...own, exclude: { namespace: "", name: "" } }] },
      ["spec.resourceSelectors[0].exclude"],
    ],
    [
      "an exclude of every namespace",
      { resourceSelectors: [{ ...own, exclude: { namespace: "*" } }] },
      ["spec.resourceSelectors[0].exclude.namespace"],
    ],
    ["an excluding selector of a name", { excludeResourceSelectors: [{ ...deployments, name: "x" }] }, []],
    [
      "an excluding selector of nothing",
      { excludeResourceSelectors: [deployments] },
      ["spec.excludeResourceSelectors[0]"],
    ],
    [
      "an excluding selector of a pattern that is none",
      { excludeResourceSelectors: [{ ...deployments, namespace: "a?" }] },
      ["spec.excludeResourceSelectors[0].namespace"],
    ],
    [
      "failover of an application whose dependencies stay behind",
      { failover: { application: { decisionConditions: { tolerationSeconds: 1 }, purgeMode: "Never" } } },
      ["spec.propagateDeps"],
    ],
    [
      "state of a cluster failover under a name that is none",
      {
        failover: {
          cluster: { purgeMode: "Directly", statePreservation: { rules: [{ aliasLabelName: "a b", jsonPath: "x" }] } },
        },
      },
      ["spec.failover.cluster.statePreservation.rules[0].aliasLabelName"],
    ],
    [
      "overflow where nothing notices that clusters are full",
      {
        placement: {
          clusterAffinities: [{ affinityName: "a", clusterNames: ["m1"], overflowAffinities: [{ affinityName: "b" }] }],
        },
      },
      ["spec.placement.clusterAffinities[0].overflowAffinities"],
    ],
    [
      "an overflow group that selects by a field that does not exist",
      {
        placement: {
          replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
          clusterAffinities: [
            {
              affinityName: "a",
              clusterNames: ["m1"],
              overflowAffinities: [
                { affinityName: "b", fieldSelector: { matchExpressions: [{ key: "name", operator: "In" }] } },
              ],
            },
          ],
        },
      },
      ["spec.placement.clusterAffinities[0].overflowAffinities[0].fieldSelector"],
    ],
    [
      "a name of a group that is none",
      { placement: { clusterAffinities: [{ affinityName: "a b" }] } },
      ["spec.placement.clusterAffinities[0]"],
    ],
    [
      "three constraints on one field are one error",
      {
        placement: {
          spreadConstraints: [1, 2, 3].map((maxGroups) => ({ spreadByField: "cluster" as const, maxGroups })),
        },
      },
      ["spec.placement.spreadConstraints"],
    ],
  ])("%s", (_name, spec, expected) => {
    expect(paths(withSpec(spec))).toEqual(expected);
  });

  test("identity: set once, by the system", () => {
    const policy = withSpec({});
    const label = `${policy.kind.toLowerCase()}.karmada.io/permanent-id`;
    const withId = (id: string): Policy => ({ ...policy, metadata: { ...policy.metadata, labels: { [label]: id } } });
    const path = [`metadata.labels[${label}]`];
    const errorPaths = (next: Policy, old?: Policy) => policyIdentityErrors(next, old).map((error) => error.path);
    expect(errorPaths(withId("a"))).toEqual([]);
    expect(errorPaths(withId("a"), withId("a"))).toEqual([]);
    expect(errorPaths(policy)).toEqual(path);
    expect(errorPaths(withId("b"), withId("a"))).toEqual(path);
    expect(errorPaths(policy, withId("a"))).toEqual(path);
    expect(errorPaths(withId("a"), policy)).toEqual(path);
    const other = { ...withId("a"), spec: { ...policy.spec, schedulerName: "mine" } };
    expect(errorPaths(other, withId("a"))).toEqual(["spec.schedulerName"]);
  });
});

test("a namespaced policy stays in its own namespace", () => {
  const policy = policyOf({ name: "p", namespace: "shop", selectors: [{ ...deployments, namespace: "shop,other" }] });
  expect(found(policy)).toEqual([
    "spec.resourceSelectors[0].namespace: namespace of resource selector must be the same as the namespace of the policy",
  ]);
});

test.each<[string, boolean]>([
  ["team-a", true],
  ["team-*", true],
  [" team-a , team-b-* ", true],
  ["Team_A.b", true], // no namespace can be called so, and Karmada takes it
  ["*", false],
  ["a,,b", false],
  ["a,", false],
  ["a*b", false],
  ["*a", false],
  ["a?", false],
  ["a[bc]", false],
  ["a|b", false],
  ["^a$", false],
])("namespace pattern %j of a cluster-scoped policy: %s (ruling 10)", (namespace, legal) => {
  const errors = found(policyOf({ name: "p", selectors: [{ ...deployments, namespace }] }));
  if (legal) expect(errors).toEqual([]);
  else expect(errors).toEqual([expect.stringContaining("must be a namespace, a {prefix}* such as team-*")]);
});

test.each<[string, Parameters<typeof policyOf>[0], boolean]>([
  [
    "a namespaced policy may preempt without a name",
    { name: "p", namespace: "shop", selectors: [{ ...deployments, namespace: "shop" }] },
    true,
  ],
  ["a name confines", { name: "p", selectors: [{ ...deployments, name: "web" }] }, true],
  ["a namespace confines", { name: "p", selectors: [{ ...deployments, namespace: "a" }] }, true],
  ["a list of namespaces confines", { name: "p", selectors: [{ ...deployments, namespace: "a,b-*" }] }, true],
  ["nothing confines", { name: "p", selectors: [deployments] }, false],
  [
    "labels do not confine",
    { name: "p", selectors: [{ ...deployments, labelSelector: { matchLabels: { a: "b" } } }] },
    false,
  ],
  [
    "an exclude is taken as the proposals print it",
    { name: "p", selectors: [{ ...deployments, exclude: { namespace: "a" } }] },
    true,
  ],
  [
    "an excluding selector is taken, too",
    { name: "p", selectors: [deployments], excludes: [{ ...deployments, namespace: "a" }] },
    true,
  ],
  [
    "an excluding selector of another kind is not",
    { name: "p", selectors: [deployments], excludes: [{ apiVersion: "v1", kind: "Pod", name: "a" }] },
    false,
  ],
  [
    "a cluster-scoped kind needs a name",
    { name: "p", selectors: [{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", namespace: "a" }] },
    false,
  ],
  [
    "and may have one",
    { name: "p", selectors: [{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "a" }] },
    true,
  ],
])("preemption (ruling 9): %s", (_name, sketch, legal) => {
  expect(paths(policyOf({ ...sketch, preemption: "Always" }))).toEqual(legal ? [] : ["spec.resourceSelectors[0].name"]);
  expect(paths(policyOf({ ...sketch, preemption: "Never" }))).toEqual([]);
});
