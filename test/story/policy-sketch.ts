export type PolicyScope = "namespaced" | "cluster";

/** What a story says of a policy in one line. */
export interface PolicySketch {
  readonly name: string;
  readonly scope: PolicyScope;
  readonly namespace: string;
  readonly clusters: readonly string[];
  readonly selectors: readonly object[];
  readonly more: object;
}

/** Where a policy of a scope is found. */
export function policyPath({ scope, namespace, name }: Pick<PolicySketch, "scope" | "namespace" | "name">): string {
  return scope === "cluster" ? `clusterpropagationpolicies/${name}` : `propagationpolicies/${namespace}/${name}`;
}

export function policyManifest({ name, scope, namespace, clusters, selectors, more }: PolicySketch): string {
  return JSON.stringify({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: scope === "cluster" ? "ClusterPropagationPolicy" : "PropagationPolicy",
    metadata: { name, ...(scope === "cluster" ? {} : { namespace }) },
    spec: { resourceSelectors: selectors, placement: placementOn(clusters), ...more },
  });
}

export function placementOn(clusters: readonly string[]) {
  return { clusterAffinity: { clusterNames: clusters } };
}
