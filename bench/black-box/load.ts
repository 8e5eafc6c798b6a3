import type { ObjectKey, ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Client } from "#client/client.ts";
import { inParallel } from "../fleet-state.ts";

export const deployments: ResourceId = {
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  namespaced: true,
};
export const configMaps: ResourceId = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};
const namespaces: ResourceId = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
};
const policies: ResourceId = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  resource: "propagationpolicies",
  kind: "PropagationPolicy",
  namespaced: true,
};

const clusterPolicies: ResourceId = {
  ...policies,
  resource: "clusterpropagationpolicies",
  kind: "ClusterPropagationPolicy",
  namespaced: false,
};

/** The ConfigMap that the Deployments of a namespace read. */
export const settingsName = "settings";

/** What a namespace of the benchmark holds. */
export interface Load {
  readonly namespaces: readonly string[];
  readonly deploymentsEach: number;
  readonly replicas: number;
  /** Whether the Deployments of a namespace read one ConfigMap. */
  readonly configured: boolean;
}

/** Makes the namespaces and their ConfigMaps. */
export async function createNamespaces(client: Client, { namespaces: names, configured }: Load): Promise<void> {
  for (const name of names) {
    await client.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } }).catch(unlessPresent);
    if (!configured) continue;
    const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: name, name: settingsName } };
    await client.create(configMaps, { ...settings, data: { colour: "blue" } }).catch(unlessPresent);
  }
}

/** Makes all Deployments, 32 at once. */
export async function createDeployments(client: Client, load: Load): Promise<void> {
  await eachDeployment(load, ({ namespace, name }) =>
    client.create(deployments, deployment(load, { namespace, name })),
  );
}

/** Gives every Deployment a new image. */
export async function updateDeployments(client: Client, load: Load, image: string): Promise<void> {
  const patch = { spec: { template: { spec: { containers: [{ name: "web", image }] } } } };
  await eachDeployment(load, (key) => client.patch(deployments, key, { type: "strategic", patch }));
}

/** Gives the ConfigMap of every namespace another colour. */
export async function recolour(client: Client, { namespaces: names }: Load, colour: string): Promise<void> {
  for (const namespace of names)
    await client.patch(configMaps, { namespace, name: settingsName }, { type: "merge", patch: { data: { colour } } });
}

export async function deleteDeployments(client: Client, load: Load): Promise<void> {
  await eachDeployment(load, (key) => client.delete(deployments, key));
}

const allDeployments = { apiVersion: "apps/v1", kind: "Deployment" };
const policyName = "bench";
const strongerName = "bench-stronger";

/** The manifest of one policy for all Deployments of a namespace. */
export function policyOf(namespace: string, spec: object) {
  const metadata = { name: policyName, namespace };
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata,
    spec: { resourceSelectors: [allDeployments], ...spec },
  };
}

/** One policy for all Deployments of each namespace, with the same placement and more. */
export async function putPolicies(client: Client, load: Load, spec: object): Promise<void> {
  for (const namespace of load.namespaces) await apply(client, policies, policyOf(namespace, spec));
}

/** A second policy in each namespace that takes all Deployments from the first. */
export async function putStrongerPolicies(client: Client, load: Load, spec: object): Promise<void> {
  for (const namespace of load.namespaces) {
    const { metadata, ...rest } = policyOf(namespace, { priority: 10, preemption: "Always", ...spec });
    await apply(client, policies, { ...rest, metadata: { ...metadata, name: strongerName } });
  }
}

interface ClusterPolicyPut {
  readonly namespaces: readonly string[];
  readonly excluded: readonly string[];
  readonly spec: object;
}

/** One cluster policy for all Deployments of all namespaces but the excluded ones. */
export async function putClusterPolicy(
  client: Client,
  { namespaces: names, excluded, spec }: ClusterPolicyPut,
): Promise<void> {
  await apply(client, clusterPolicies, {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "ClusterPropagationPolicy",
    metadata: { name: policyName },
    spec: {
      resourceSelectors: names.map((namespace) => ({ ...allDeployments, namespace })),
      ...(excluded.length > 0 && {
        excludeResourceSelectors: excluded.map((namespace) => ({ ...allDeployments, namespace })),
      }),
      ...spec,
    },
  });
}

/** Deletes every policy that a load may have. */
export async function deletePolicies(client: Client, { namespaces: names }: Load): Promise<void> {
  for (const namespace of names)
    for (const name of [policyName, strongerName]) await client.delete(policies, { namespace, name });
  await client.delete(clusterPolicies, { name: policyName });
}

async function apply(
  client: Client,
  resource: ResourceId,
  manifest: { readonly metadata: ObjectKey; readonly [field: string]: unknown },
): Promise<void> {
  await client.patch(resource, manifest.metadata, { type: "apply", patch: manifest, force: true });
}

async function eachDeployment(
  { namespaces: names, deploymentsEach }: Load,
  work: (key: { readonly namespace: string; readonly name: string }) => Promise<unknown>,
): Promise<void> {
  await inParallel(names.length * deploymentsEach, (index) =>
    work({ namespace: names[index % names.length]!, name: `web-${Math.floor(index / names.length)}` }),
  );
}

function deployment({ replicas, configured }: Load, metadata: { readonly namespace: string; readonly name: string }) {
  const labels = { app: metadata.name };
  const container = { name: "web", image: "nginx:1" };
  const reading = { ...container, envFrom: [{ configMapRef: { name: settingsName } }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...metadata, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [configured ? reading : container] } },
    },
  };
}

function unlessPresent(error: unknown): void {
  if (!(error instanceof StatusError) || error.code !== 409) throw error;
}
