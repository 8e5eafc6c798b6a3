import type { ResourceId } from "#api/meta/resource-id.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { startCluster, systemUser } from "#app/start-cluster.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { type Client, createClient } from "#client/client.ts";
import { defaultSimulatorOptions, noDelays } from "#simulator/simulator-options.ts";
import { startSimulator } from "#simulator/start-simulator.ts";
import { premade } from "#test/world/slow-parts.ts";

/** A cluster that no control plane knows of, with its own listener. */
export interface RemoteMember extends AsyncDisposable {
  readonly cluster: EmbeddedCluster;
  /** The administrator's, by function call. */
  readonly client: Client;
  /** A token of a service account that may do everything. */
  readonly token: string;
}

export const core = (resource: string, kind: string, namespaced = true): ResourceId => ({
  group: "",
  version: "v1",
  resource,
  kind,
  namespaced,
});
export const deployments: ResourceId = {
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  namespaced: true,
};
export const clusters: ResourceId = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  resource: "clusters",
  kind: "Cluster",
  namespaced: false,
};
const rbac = (resource: string, kind: string): ResourceId => ({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  resource,
  kind,
  namespaced: false,
});

/** Starts a cluster in real time, with workloads that come alive. */
export async function startRemoteMember(name: string): Promise<RemoteMember> {
  const parts: AsyncDisposable[] = [];
  const cluster = await startCluster({
    name,
    role: "member",
    directory: "",
    port: 0,
    memory: true,
    builtin: premade().builtin,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    started: (part) => parts.push(part),
  });
  const client = createClient({ transport: cluster.server, user: systemUser, manager: "kubectl-edit" });
  const stopping = new AbortController();
  startSimulator({
    member: name,
    client,
    clock: systemClock,
    log: silentLogger,
    signal: stopping.signal,
    options: { ...defaultSimulatorOptions, pace: noDelays },
  });
  return {
    cluster,
    client,
    token: await serviceAccountToken(client),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      for (const part of parts.reverse()) await part[Symbol.asyncDispose]();
    },
  };
}

/** What `flotilla join` will do in a member: an account, its rights, its token. */
async function serviceAccountToken(client: Client): Promise<string> {
  const key = { namespace: "kube-system", name: "flotilla" };
  await client.create(core("serviceaccounts", "ServiceAccount"), {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: key,
  });
  await client.create(rbac("clusterrolebindings", "ClusterRoleBinding"), {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "flotilla" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", ...key }],
  });
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
  const answer = await client.post(core("serviceaccounts", "ServiceAccount"), key, {
    verb: "create",
    subresource: "token",
    body: request,
  });
  return (answer as { readonly status: { readonly token: string } }).status.token; // a TokenRequest
}

export interface Registration {
  readonly name: string;
  readonly endpoint: string;
  /** The secret's data, not yet in base64. */
  readonly secret: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Joins a cluster as a user would: a secret, and a Cluster that names it. */
export async function register(client: Client, { name, endpoint, secret, spec = {} }: Registration): Promise<void> {
  await putSecret(client, name, secret);
  await client.create(clusters, {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name },
    spec: { syncMode: "Push", apiEndpoint: endpoint, secretRef: { namespace: "karmada-cluster", name }, ...spec },
  });
}

/** Writes the credentials of a cluster, be it the first time or not. */
export async function putSecret(client: Client, name: string, secret: Readonly<Record<string, string>>): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(secret).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
  const key = { namespace: "karmada-cluster", name };
  const patch = { apiVersion: "v1", kind: "Secret", metadata: key, data };
  await client.patch(core("secrets", "Secret"), key, { type: "apply", patch, force: true });
}

/** Waits for something to become true, in real time; fails with what was seen last. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isGood: (seen: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (isGood(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`it did not come to pass; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
