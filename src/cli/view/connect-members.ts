import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { resourceOf } from "#api/kind.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { HintedError } from "#base/hinted-error.ts";
import { accessOf, defaultRemoteMemberRules, endpointOf, secretKeyOf } from "#members/cluster-access.ts";
import type { AccessFlags } from "../access-flags.ts";
import { readCluster } from "../change-cluster.ts";
import { type Connection, connectTo, findAccess } from "../connect.ts";

/** A server to look at: the control plane, or a member. */
export interface Place extends Disposable {
  /** Of the cluster; undefined for the control plane. */
  readonly cluster: string | undefined;
  readonly connection: Connection;
}

/** A member that cannot be looked at, and why. */
export interface Unreached {
  readonly cluster: string;
  readonly why: string;
}

/**
 * Connects to members: all, or those named. A context of the kubeconfig that bears the member's name and leads to its address is
 * taken first, as whoever it says; otherwise the credentials that the cluster's secret holds, for those who may read it.
 */
export async function connectMembers(
  control: Connection,
  names: readonly string[] | undefined,
  flags: AccessFlags,
): Promise<{ readonly places: readonly Place[]; readonly unreached: readonly Unreached[] }> {
  const clusters =
    names === undefined
      ? ((await control.client.list(resourceOf(Clusters))).items as unknown as readonly Cluster[]) // of this kind
      : await Promise.all(names.map((name) => readCluster(control.client, name)));
  const found = await Promise.all(clusters.map((cluster) => reach(cluster, control, flags)));
  return {
    places: found.flatMap((each) => ("connection" in each ? [each] : [])),
    unreached: found.flatMap((each) => ("why" in each ? [each] : [])),
  };
}

/** Connects to one member, as above; throws when there is no way. */
export async function connectMember(cluster: Cluster, control: Connection, flags: AccessFlags): Promise<Connection> {
  return (await byContext(cluster, flags)) ?? (await bySecret(cluster, control));
}

async function reach(cluster: Cluster, control: Connection, flags: AccessFlags): Promise<Place | Unreached> {
  const { name } = cluster.metadata;
  try {
    const connection = await connectMember(cluster, control, flags);
    return { cluster: name, connection, [Symbol.dispose]: () => connection[Symbol.dispose]() };
  } catch (error: unknown) {
    return { cluster: name, why: error instanceof Error ? error.message : String(error) };
  }
}

async function byContext(cluster: Cluster, { kubeconfig }: AccessFlags): Promise<Connection | undefined> {
  try {
    const context = cluster.metadata.name;
    const access = await findAccess({ context, ...(kubeconfig !== undefined && { kubeconfig }) });
    return access.server.href === endpointOf(cluster).href ? connectTo(access, {}) : undefined;
  } catch (error: unknown) {
    if (error instanceof HintedError) return undefined; // there is no such context
    throw error;
  }
}

const secrets = { group: "", version: "v1", resource: "secrets", kind: "Secret", namespaced: true };

async function bySecret(cluster: Cluster, { client }: Connection): Promise<Connection> {
  const rules = { ...defaultRemoteMemberRules, allowLoopback: true };
  if (cluster.spec.secretRef === undefined)
    throw new Error("the kubeconfig has no context for it, and it names no secret");
  const key = secretKeyOf(cluster, rules);
  const secret = await client.get(secrets, key);
  if (secret === undefined) throw new Error(`the secret ${key.namespace}/${key.name} does not exist`);
  const { token, ...access } = accessOf(cluster, secret as Fields, rules);
  const present = async () => (typeof token === "function" ? token() : token);
  const { name } = cluster.metadata;
  return connectTo({ proxy: undefined, ...access, name, namespace: undefined, token: present }, {});
}
