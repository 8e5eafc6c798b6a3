import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { apiVersionOf, resourceOf } from "#api/kind.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Client, NewObject } from "#client/client.ts";
import { readClusterId } from "#members/cluster-identity.ts";
import { applyObject } from "../apply-object.ts";
import { accountObjects, type MemberAccount, resourceOfAccount } from "./member-account.ts";
import { expectGoodToken, type MemberAddress, ownBy, readTokens, tokenSecret } from "./member-credentials.ts";

/** What is registered of a cluster besides how it is reached. */
export interface ClusterTraits {
  readonly provider?: string | undefined;
  readonly region?: string | undefined;
  readonly zones?: readonly string[] | undefined;
}

export interface JoinRequest extends MemberAccount, ClusterTraits, MemberAddress {}

export interface JoinNeeds {
  readonly controlPlane: Client;
  /** With the rights of whoever joins it. */
  readonly member: Client;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly dryRun: boolean;
  /** Told of every object that is written, and where. */
  readonly report: (where: "member" | "control plane", object: NewObject) => void;
}

export interface JoinResult {
  readonly id: string;
  /** When the token ends by itself; undefined: never. */
  readonly expires: string | undefined;
}

const clusters = resourceOf(Clusters);
const { Secret, Namespace } = kubernetesResources;

/**
 * Makes an account in the member, stores its token in the control plane, registers the cluster. The cluster comes last: what breaks off
 * before is done again by the next attempt.
 */
export async function join(request: JoinRequest, needs: JoinNeeds): Promise<JoinResult> {
  const { controlPlane, member, dryRun, report } = needs;
  const id = await readClusterId(member);
  if (id === undefined)
    throw new HintedError("cannot join: the cluster has no namespace kube-system", "is it a Kubernetes cluster?");
  await expectStranger(controlPlane, { name: request.cluster, id });
  for (const object of accountObjects(request)) {
    if (!dryRun) await applyObject(member, resourceOfAccount(object), object);
    report("member", object);
  }
  if (dryRun) {
    for (const object of registration(request, { id, token: "…", impersonator: "…" })) report("control plane", object);
    return { id, expires: undefined };
  }
  const { own, impersonator } = await readTokens(request, { ...needs, client: member });
  await expectGoodToken(request, { ...needs, token: own.token, id });
  await register(registration(request, { id, token: own.token, impersonator: impersonator.token }), needs);
  return { id, expires: own.expires };
}

async function expectStranger(
  client: Client,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<void> {
  if ((await readClusterId(client)) === id)
    throw new HintedError(
      "cannot join the control plane to itself",
      "give the kubeconfig of another cluster to --cluster-kubeconfig",
    );
  const joined = await listClusters(client);
  const same = joined.find(({ spec }) => spec.id === id);
  if (same !== undefined)
    throw new HintedError(
      `cannot join: this cluster is joined already, as ${JSON.stringify(same.metadata.name)}`,
      `to give it another name, first: flotilla unjoin ${same.metadata.name}`,
    );
  if (joined.some(({ metadata }) => metadata.name === name))
    throw new HintedError(`cannot join: there is a cluster ${JSON.stringify(name)} already`, "choose another name");
}

async function listClusters(client: Client): Promise<readonly Cluster[]> {
  try {
    return (await client.list(clusters)).items as unknown as readonly Cluster[]; // of that kind
  } catch (error: unknown) {
    if (!(error instanceof StatusError && error.code === 404)) throw error;
    throw new HintedError(
      "cannot join: this is no control plane",
      "choose another with --kubeconfig, or first: flotilla install",
    );
  }
}

interface Credentials {
  readonly id: string;
  readonly token: string;
  readonly impersonator: string;
}

/** What is written to the control plane, in this order. */
function registration(request: JoinRequest, { id, token, impersonator }: Credentials): readonly NewObject[] {
  const { cluster, namespace, endpoint, identity, proxy, provider, region, zones } = request;
  const keys = { own: { namespace, name: cluster }, impersonator: { namespace, name: `${cluster}-impersonator` } };
  const spec = {
    id,
    syncMode: "Push",
    apiEndpoint: endpoint.href.replace(/\/$/, ""),
    secretRef: keys.own,
    impersonatorSecretRef: keys.impersonator,
    ...(identity.skipVerification === true && { insecureSkipTLSVerification: true }),
    ...(proxy !== undefined && { proxyURL: proxy.url.href, proxyHeader: proxy.headers }),
    ...(provider !== undefined && { provider }),
    ...(region !== undefined && { region }),
    ...(zones !== undefined && { zones }),
  };
  return [
    tokenSecret({ key: keys.own, token, ca: identity.ca }),
    tokenSecret({ key: keys.impersonator, token: impersonator }),
    { apiVersion: apiVersionOf(Clusters), kind: Clusters.kind, metadata: { name: cluster }, spec },
  ];
}

async function register(objects: readonly NewObject[], { controlPlane, report }: JoinNeeds): Promise<void> {
  const secrets = objects.filter(({ kind }) => kind === "Secret");
  const { namespace } = secrets[0]!.metadata;
  if ((await controlPlane.get(Namespace, { name: namespace! })) === undefined)
    await applyObject(controlPlane, Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace! } });
  for (const object of secrets) {
    // what an earlier cluster of that name left may be about to be collected with it
    await controlPlane.delete(Secret, { namespace: namespace!, name: object.metadata.name! });
    await controlPlane.create(Secret, object);
    report("control plane", object);
  }
  const cluster = objects.find(({ kind }) => kind === Clusters.kind)!; // the last of them
  const created = await controlPlane.create(clusters, cluster);
  report("control plane", cluster);
  for (const { metadata } of secrets)
    await ownBy(created, { client: controlPlane, key: { name: metadata.name!, namespace: namespace! } });
}
