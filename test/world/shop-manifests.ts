/** A Deployment in the namespace shop. */
export function deployment(name: string, replicas = 3, image = "nginx:1"): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop, labels: { app: ${name} } }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;
}

/** A policy in the namespace shop for all Deployments there, or those that a selector's fields name. */
export function policy(name: string, placement = "{}", more: PolicyMore = {}): string {
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment${more.selector === undefined ? "" : `, ${more.selector}`} }]
  placement: ${placement}
  ${more.spec ?? ""}
`;
}

/** A cluster-scoped policy for all Deployments of the namespace shop, or those that a selector's fields name. */
export function clusterPolicy(name: string, placement = "{}", more: PolicyMore = {}): string {
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: ${name} }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: shop${more.selector === undefined ? "" : `, ${more.selector}`} }]
  placement: ${placement}
  ${more.spec ?? ""}
`;
}

/** A member as it joins. */
export function cluster(name: string, { url, id }: { readonly url: string; readonly id: string }): string {
  return `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: { name: ${name} }
spec: { syncMode: Push, apiEndpoint: "${url}", id: "${id}" }
`;
}

interface PolicyMore {
  /** Further fields of the selector, in flow style. */
  readonly selector?: string;
  /** Further fields of the spec, one line. */
  readonly spec?: string;
}

/** An OverridePolicy that puts a registry before the images of one cluster's copies of a Deployment. */
export function registryOverride(name: string, { of, cluster, registry }: RegistryOverride): string {
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: ${name}, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: ${of} }]
  overrideRules:
    - targetCluster: { clusterNames: [${cluster}] }
      overriders: { imageOverrider: [{ component: Registry, operator: add, value: ${registry} }] }
`;
}

interface RegistryOverride {
  readonly of: string;
  readonly cluster: string;
  readonly registry: string;
}

/** A placement on clusters by name. */
export function to(...clusters: readonly string[]): string {
  return `{ clusterAffinity: { clusterNames: [${clusters.join(", ")}] } }`;
}

/** A placement that divides replicas evenly. */
export const divided = "{ replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted } }";
