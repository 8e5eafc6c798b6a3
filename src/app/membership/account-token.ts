import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { ObjectKey } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import { waitUntil } from "../wait-until.ts";

export interface TokenNeeds {
  readonly client: Client;
  readonly clock: Clock;
  /** How long the cluster may take to fill a secret. */
  readonly timeoutMs: number;
}

export interface AccountToken {
  readonly token: string;
  /** Undefined: it does not end by itself. */
  readonly expires?: string;
}

const tenYearsSeconds = 10 * 365 * 24 * 3_600;

/** The token of a service account from the secret of its name; where nobody fills secrets, one that is asked for, which ends some day. */
export async function readAccountToken(
  key: ObjectKey,
  { client, clock, timeoutMs }: TokenNeeds,
): Promise<AccountToken> {
  let token = "";
  const isFilled = async () => {
    const secret = (await client.get(kubernetesResources.Secret, key)) as Fields | undefined;
    token = Buffer.from(secret?.["data"]?.token ?? "", "base64").toString("utf8");
    return token !== "";
  };
  if (await waitUntil(isFilled, { clock, timeoutMs })) return { token };
  const body = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: tenYearsSeconds },
  };
  const request = { verb: "create", subresource: "token", body } as const;
  const { status } = (await client.post(kubernetesResources.ServiceAccount, key, request)) as Fields;
  return { token: status.token, expires: status.expirationTimestamp };
}
