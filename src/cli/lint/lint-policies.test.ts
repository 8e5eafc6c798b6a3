import { describe, expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import type { Override } from "#api/policy/override-policy.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { type Manifest, manifestsIn } from "../manifests.ts";
import { lintPolicies } from "./lint-policies.ts";

/** `kind [namespace/]name {spec}`, with short words for what every row needs. */
const kinds: Readonly<Record<string, string>> = {
  pp: "PropagationPolicy",
  cpp: "ClusterPropagationPolicy",
  op: "OverridePolicy",
  cop: "ClusterOverridePolicy",
  cluster: "Cluster",
};

const deployments = "apiVersion: apps/v1, kind: Deployment";
const to = (...names: string[]) => `placement: { clusterAffinity: { clusterNames: [${names.join(", ")}] } }`;
const selects = (more = "") => `resourceSelectors: [{ ${deployments}${more && `, ${more}`} }]`;
const labelled = (labels: string) => `labelSelector: { matchLabels: { ${labels} } }`;

const rows: Readonly<Record<string, { given: readonly string[]; finds: readonly string[]; allStatic?: boolean }>> = {
  "a policy alone is fine": { given: [`cpp all { ${selects()} }`], finds: [] },
  "policies of different priority are fine": {
    given: [`cpp all { ${selects()} }`, `cpp some { ${selects(labelled("a: b"))}, priority: 1 }`],
    finds: [],
  },
  "a more exact policy of equal priority is fine": {
    given: [`cpp all { ${selects()} }`, `cpp one { ${selects("name: web")} }`],
    finds: [],
  },
  "a kind of our own never matches": {
    given: ["cpp all { resourceSelectors: [{ apiVersion: work.karmada.io/v1alpha1, kind: Work }] }"],
    finds: ["error never-matches ClusterPropagationPolicy all: spec.resourceSelectors[0]"],
  },
  "a namespace of the system never matches": {
    given: [`cpp all { ${selects("namespace: kube-system")} }`],
    finds: ["error never-matches ClusterPropagationPolicy all: spec.resourceSelectors[0]"],
  },
  "labels that contradict each other never match": {
    given: [
      `cpp all { ${selects("labelSelector: { matchLabels: { a: b }, matchExpressions: [{ key: a, operator: NotIn, values: [b] }] }")} }`,
    ],
    finds: ["error never-matches ClusterPropagationPolicy all: spec.resourceSelectors[0]"],
  },
  "a label that must be and must not be never matches": {
    given: [
      `cpp all { ${selects("labelSelector: { matchExpressions: [{ key: a, operator: Exists }, { key: a, operator: DoesNotExist }] }")} }`,
    ],
    finds: ["error never-matches ClusterPropagationPolicy all: spec.resourceSelectors[0]"],
  },
  "a namespaced policy about another namespace never matches": {
    given: [`pp shop/web { ${selects("namespace: bank")} }`],
    finds: ["error never-matches PropagationPolicy shop/web: spec.resourceSelectors[0]"],
  },
  "an exclude that vetoes everything": {
    given: [
      `cpp all { ${selects('namespace: "team-a, team-b"')}, excludeResourceSelectors: [{ ${deployments}, namespace: "team-*" }] }`,
    ],
    finds: ["error excluded-entirely ClusterPropagationPolicy all: spec.resourceSelectors[0]"],
  },
  "a selector's own exclude that vetoes everything": {
    given: [`cpp all { ${selects("namespace: team-a, exclude: { namespace: team-a }")} }`],
    finds: ["error excluded-entirely ClusterPropagationPolicy all: spec.resourceSelectors[0]"],
  },
  "an exclude that leaves something": {
    given: [
      `cpp all { ${selects('namespace: "team-*"')}, excludeResourceSelectors: [{ ${deployments}, namespace: team-a }] }`,
    ],
    finds: [],
  },
  "a policy of higher priority that matches more": {
    given: [`cpp all { ${selects()}, priority: 2 }`, `cpp some { ${selects(labelled("a: b"))}, priority: 1 }`],
    finds: ["warning shadowed ClusterPropagationPolicy some"],
  },
  "a cluster policy for one namespace that has its own": {
    given: [`pp shop/all { ${selects()} }`, `cpp shop { ${selects("namespace: shop")}, priority: 9 }`],
    finds: ["warning shadowed ClusterPropagationPolicy shop"],
  },
  "shadowed by two, each taking a part": {
    given: [
      `cpp a { ${selects()}, priority: 2 }`,
      "cpp b { resourceSelectors: [{ apiVersion: v1, kind: ConfigMap }], priority: 2 }",
      `cpp both { resourceSelectors: [{ ${deployments}, name: web }, { apiVersion: v1, kind: ConfigMap, name: x }] }`,
    ],
    finds: ["warning shadowed ClusterPropagationPolicy both"],
  },
  "not shadowed where the other leaves it out": {
    given: [
      `cpp all { ${selects()}, priority: 2, excludeResourceSelectors: [{ ${deployments}, namespace: shop }] }`,
      `cpp shop { ${selects("namespace: shop")} }`,
    ],
    finds: [],
  },
  "the same twice with one wish is a tie": {
    given: [`cpp a { ${selects()} }`, `cpp b { ${selects()} }`],
    finds: ["warning tie ClusterPropagationPolicy b"],
  },
  "the same twice with two wishes is a contradiction": {
    given: [`cpp a { ${selects()}, ${to("m1")} }`, `cpp b { ${selects()}, ${to("m2")} }`],
    finds: ["error contradiction ClusterPropagationPolicy b"],
  },
  "labels that one object may have both of are a tie": {
    given: [`pp shop/a { ${selects(labelled("x: y"))} }`, `pp shop/b { ${selects(labelled("tier: front"))} }`],
    finds: ["warning tie PropagationPolicy shop/b"],
  },
  "labels that no object has both of are no tie": {
    given: [`cpp a { ${selects(labelled("x: y"))} }`, `cpp b { ${selects(labelled("x: z"))} }`],
    finds: [],
  },
  "policies of two namespaces are no tie": {
    given: [`pp shop/a { ${selects()} }`, `pp bank/b { ${selects()} }`],
    finds: [],
  },
  "every named cluster is excluded": {
    given: [`cpp a { ${selects()}, placement: { clusterAffinity: { clusterNames: [m1], exclude: [m1, m2] } } }`],
    finds: ["error placement-empty ClusterPropagationPolicy a: spec.placement.clusterAffinity"],
  },
  "more groups than clusters": {
    given: [
      `cpp a { ${selects()}, placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 3 }] } }`,
    ],
    finds: ["error too-few-clusters ClusterPropagationPolicy a: spec.placement.spreadConstraints[0]"],
  },
  "a cluster that has not joined": {
    given: [`cpp a { ${selects()}, ${to("m1", "m9")} }`, "cluster m1 {}"],
    finds: ["warning unknown-cluster ClusterPropagationPolicy a: spec.placement.clusterAffinity"],
  },
  "no cluster that has joined": {
    given: [
      `cpp a { ${selects()}, placement: { clusterAffinity: { labelSelector: { matchLabels: { env: prod } } } } }`,
      "cluster m1 {}",
    ],
    finds: ["error no-cluster ClusterPropagationPolicy a: spec.placement"],
  },
  "only clusters with taints that are not tolerated": {
    given: [`cpp a { ${selects()} }`, "cluster m1 { taints: [{ key: x, effect: NoSchedule }] }"],
    finds: ["error no-cluster ClusterPropagationPolicy a: spec.placement"],
  },
  "a taint that only prefers others": {
    given: [`cpp a { ${selects()} }`, "cluster m1 { taints: [{ key: x, effect: PreferNoSchedule }] }"],
    finds: [],
  },
  "a static policy that suspends": {
    given: [`cpp a { ${selects()}, activationPreference: Lazy, suspension: { dispatching: true } }`],
    finds: ["warning static-suspended ClusterPropagationPolicy a: spec.suspension"],
  },
  "a static policy that preempts": {
    given: [`pp shop/a { ${selects()}, activationPreference: Lazy, preemption: Always }`],
    finds: ["warning static-preemption PropagationPolicy shop/a: spec.preemption"],
  },
  "with the gate every policy is static": {
    given: [`pp shop/a { ${selects()}, preemption: Always }`],
    allStatic: true,
    finds: ["warning static-preemption PropagationPolicy shop/a: spec.preemption"],
  },
  "an override of what nobody propagates": {
    given: [`cpp a { ${selects()} }`, "cop x { resourceSelectors: [{ apiVersion: v1, kind: Secret }] }"],
    finds: ["warning override-unmatched ClusterOverridePolicy x: spec.resourceSelectors"],
  },
  "an override of what follows a workload": {
    given: [
      `pp shop/a { ${selects()}, propagateDeps: true }`,
      "op shop/x { resourceSelectors: [{ apiVersion: v1, kind: Secret }] }",
    ],
    finds: [],
  },
  "an override for a cluster that no policy names": {
    given: [
      `cpp a { ${selects()}, ${to("m1", "m2")} }`,
      `op shop/x { ${selects()}, overrideRules: [{ targetCluster: { clusterNames: [m2, m3] } }] }`,
    ],
    finds: ["warning override-untargeted OverridePolicy shop/x: spec.overrideRules[0].targetCluster"],
  },
  "an override for a cluster that a policy may choose": {
    given: [
      `cpp a { ${selects()} }`,
      `op shop/x { ${selects()}, overrideRules: [{ targetCluster: { clusterNames: [m3] } }] }`,
    ],
    finds: [],
  },
  "an override without selectors": {
    given: [`pp shop/a { ${selects()} }`, "op shop/x {}", "op bank/z {}"],
    finds: ["warning override-unmatched OverridePolicy bank/z: spec.resourceSelectors"],
  },
  "a policy given twice": {
    given: [`cpp a { ${selects("name: web")} }`, `cpp a { ${selects("name: api")} }`],
    finds: ["error twice ClusterPropagationPolicy a"],
  },
};

describe("lint", () => {
  for (const [name, { given, finds, allStatic = false }] of Object.entries(rows))
    test(name, () => {
      const objects = given.map(read);
      const of = (...names: string[]) => objects.filter(({ kind }) => names.includes(kind)) as unknown[];
      const clusters = of("Cluster") as Cluster[];
      const findings = lintPolicies({
        policies: of("PropagationPolicy", "ClusterPropagationPolicy") as Policy[],
        overrides: of("OverridePolicy", "ClusterOverridePolicy") as Override[],
        clusters: clusters.length > 0 ? clusters : undefined,
        allStatic,
      });
      expect(findings.map(({ severity, code, where }) => `${severity} ${code} ${where}`)).toEqual(finds);
      for (const { why, advice } of findings) expect(why.length * advice.length).toBeGreaterThan(0);
    });
});

function read(text: string): Manifest {
  const [, short, key, spec] = /^(\S+) (\S+) (\{.*\})$/.exec(text)!;
  const [namespace, name] = key!.includes("/") ? key!.split("/") : [undefined, key];
  const metadata = `{ name: ${name}${namespace === undefined ? "" : `, namespace: ${namespace}`} }`;
  return manifestsIn(`apiVersion: x/v1\nkind: ${kinds[short!]}\nmetadata: ${metadata}\nspec: ${spec}`, "row")[0]!;
}
