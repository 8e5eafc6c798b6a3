import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";

export const accountNameKey = "kubernetes.io/service-account.name";
export const accountUidKey = "kubernetes.io/service-account.uid";
export const tokenSecretType = "kubernetes.io/service-account-token";

/** A Secret as far as its token is concerned. */
export interface TokenSecret extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface TokenSecretFacts {
  readonly secret: TokenSecret;
  /** The account that its annotation names, as it was just read. */
  readonly account: ApiObject | undefined;
  /** What belongs into it beside the token, base64. */
  readonly certificate: string;
  readonly namespace: string;
}

export type TokenSecretStep =
  | { readonly do: "delete" }
  | {
      readonly do: "fill";
      /** Members that are missing or wrong. */
      readonly data: Readonly<Record<string, string>>;
      readonly needsToken: boolean;
      readonly account: { readonly name: string; readonly uid: string };
    };

/** A token secret holds a token for its service account, and goes with it: an account of the same name is another one. */
export function decideTokenSecret({
  secret,
  account,
  certificate,
  namespace,
}: TokenSecretFacts): Plan<TokenSecretStep> {
  if (secret.metadata.deletionTimestamp !== undefined) return { steps: [] };
  const recorded = secret.metadata.annotations?.[accountUidKey] ?? "";
  if (account === undefined || (recorded !== "" && recorded !== account.metadata.uid)) {
    return { steps: [{ do: "delete" }] };
  }
  const present = secret.data ?? {};
  const wanted = { "ca.crt": certificate, namespace };
  const data = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => present[key] !== value));
  const needsToken = !present["token"];
  if (!needsToken && recorded !== "" && Object.keys(data).length === 0) return { steps: [] };
  const { name, uid } = account.metadata;
  return { steps: [{ do: "fill", data, needsToken, account: { name, uid } }] };
}
