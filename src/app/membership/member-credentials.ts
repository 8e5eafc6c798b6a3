import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ObjectKey } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { HintedError } from "#base/hinted-error.ts";
import { type Client, createClient, type NewObject } from "#client/client.ts";
import { createHttpTransport } from "#client/http-transport.ts";
import type { TlsIdentity, TunnelProxy } from "#client/https-agents.ts";
import { readClusterId } from "#members/cluster-identity.ts";
import { installedLabels } from "../installation/names.ts";
import { waitUntil } from "../wait-until.ts";
import { type AccountToken, readAccountToken, type TokenNeeds } from "./account-token.ts";
import { accountName, impersonatorName, type MemberAccount } from "./member-account.ts";

/** How the control plane will reach a member. */
export interface MemberAddress {
  /** The address that is registered, and to which alone requests go. */
  readonly endpoint: URL;
  readonly identity: Pick<TlsIdentity, "ca" | "skipVerification">;
  readonly proxy: TunnelProxy | undefined;
}

/** The tokens of both accounts in a member. */
export async function readTokens(account: MemberAccount, needs: TokenNeeds): Promise<MemberTokens> {
  const { namespace } = account;
  return {
    own: await readAccountToken({ namespace, name: accountName(account) }, needs),
    impersonator: await readAccountToken({ namespace, name: impersonatorName }, needs),
  };
}

export interface MemberTokens {
  readonly own: AccountToken;
  readonly impersonator: AccountToken;
}

interface SecretParts {
  readonly key: ObjectKey;
  readonly token: string;
  readonly ca?: string | undefined;
}

/** The secret in the control plane that holds a token. */
export function tokenSecret({ key, token, ca }: SecretParts): NewObject {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...key, labels: installedLabels },
    type: "Opaque",
    data: { token: base64(token), ...(ca !== undefined && { caBundle: base64(ca) }) },
  };
}

/** What is registered must work: the endpoint, by the account's own token, is the cluster that was meant. */
export async function expectGoodToken(
  address: MemberAddress,
  { token, id, clock, timeoutMs }: Omit<TokenNeeds, "client"> & { readonly token: string; readonly id: string },
): Promise<void> {
  const { endpoint } = address;
  const transport = createHttpTransport({
    ...address,
    server: endpoint,
    token,
    addresses: { allowLoopback: true },
    clock,
  });
  const client = createClient({ transport, user: { name: "", groups: [] }, manager: "flotilla" });
  let found: string | undefined;
  const isSame = async () => {
    found = await readClusterId(client).catch(refusedYet);
    return found === id;
  };
  try {
    if (await waitUntil(isSame, { clock, timeoutMs })) return;
  } finally {
    transport.close();
  }
  throw new HintedError(
    `cannot join: with the new account's token ${endpoint.origin} ${found === undefined ? "refuses us" : "is another cluster"}`,
    "is the server in the kubeconfig the cluster's own API server?",
  );
}

/** New accounts and rights take a moment to be known. */
function refusedYet(error: unknown): undefined {
  if (error instanceof StatusError && (error.code === 401 || error.code === 403)) return undefined;
  throw error;
}

/** Whoever deletes the cluster, by whatever program, leaves no credentials behind. */
export async function ownBy(
  { apiVersion, kind, metadata }: ApiObject,
  { client, key }: { readonly client: Client; readonly key: ObjectKey },
): Promise<void> {
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
  await client.patch(kubernetesResources.Secret, key, { type: "merge", patch: { metadata: { ownerReferences } } });
}
