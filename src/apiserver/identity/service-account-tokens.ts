import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { UserInfo } from "#api/meta/api-call.ts";
import { isJsonObject } from "#base/json.ts";

export const issuer = "https://kubernetes.default.svc";
/** A token longer than this is no token. */
const maxTokenLength = 16 * 1024;

/** Whom a token is for and how long. */
export interface TokenRequest {
  readonly namespace: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
  /** The Secret that holds a long-lived token. */
  readonly secret?: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly nowMs: number;
  /** Absent for the long-lived tokens of Secrets. */
  readonly lifetimeSeconds?: number;
}

export interface VerifiedToken {
  readonly user: UserInfo;
  readonly namespace: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
  readonly secret?: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
}

const rememberedTokens = 1_000;

/** Signs and verifies service-account tokens: JWT with RS256 and nothing else, so that no header can choose another algorithm. */
export class ServiceAccountTokens {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;
  /** Claims of tokens whose signature was verified, by the token's digest. */
  readonly #known = new Map<string, Claims>();

  constructor(privateKeyPem: string) {
    this.#privateKey = createPrivateKey(privateKeyPem);
    this.#publicKey = createPublicKey(this.#privateKey);
    const der = this.#publicKey.export({ type: "spki", format: "der" });
    this.#keyId = createHash("sha256").update(der).digest("base64url");
  }

  issue(request: TokenRequest): string {
    const { namespace, serviceAccount, secret, audiences, nowMs, lifetimeSeconds } = request;
    const now = Math.floor(nowMs / 1_000);
    const claims = {
      iss: issuer,
      sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
      aud: audiences.length > 0 ? audiences : [issuer],
      iat: now,
      nbf: now,
      ...(lifetimeSeconds === undefined ? {} : { exp: now + lifetimeSeconds }),
      "kubernetes.io": { namespace, serviceaccount: serviceAccount, ...(secret === undefined ? {} : { secret }) },
    };
    const signed = `${encode({ alg: "RS256", kid: this.#keyId })}.${encode(claims)}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), this.#privateKey).toString("base64url")}`;
  }

  /** Undefined for anything that is not a token of ours, for this audience, valid now. */
  verify(token: string, nowMs: number): VerifiedToken | undefined {
    if (token.length > maxTokenLength) return undefined;
    const claims = this.#claimsOf(token);
    return claims === undefined ? undefined : readClaims(claims, Math.floor(nowMs / 1_000));
  }

  /** A signature that was right once is right for ever; what the claims say is looked at every time. */
  #claimsOf(token: string): Claims | undefined {
    const digest = createHash("sha256").update(token).digest("base64");
    const known = this.#known.get(digest);
    if (known !== undefined) return known;
    const claims = this.#verifySignature(token);
    if (claims === undefined) return undefined;
    if (this.#known.size >= rememberedTokens) this.#known.clear();
    this.#known.set(digest, claims);
    return claims;
  }

  #verifySignature(token: string): Claims | undefined {
    const parts = token.split(".");
    if (parts.length !== 3) return undefined;
    const [header, payload, signature] = parts as [string, string, string];
    if (decode(header)?.["alg"] !== "RS256") return undefined;
    const signed = Buffer.from(`${header}.${payload}`);
    return verify("sha256", signed, this.#publicKey, Buffer.from(signature, "base64url")) ? decode(payload) : undefined;
  }
}

type Claims = Readonly<Record<string, unknown>>;

function readClaims(claims: Claims, now: number): VerifiedToken | undefined {
  const { iss, aud, exp, nbf, "kubernetes.io": bound } = claims;
  if (iss !== issuer || !Array.isArray(aud) || !aud.includes(issuer)) return undefined;
  if (typeof exp === "number" ? exp <= now : exp !== undefined) return undefined;
  if (typeof nbf === "number" && nbf > now) return undefined;
  if (!isJsonObject(bound) || typeof bound["namespace"] !== "string") return undefined;
  const account = readReference(bound["serviceaccount"]);
  if (account === undefined) return undefined;
  const namespace = bound["namespace"];
  const secret = readReference(bound["secret"]);
  return {
    user: serviceAccountUser(namespace, account),
    namespace,
    serviceAccount: account,
    ...(secret === undefined ? {} : { secret }),
    audiences: aud.map(String),
  };
}

/** The user that a service account is. */
export function serviceAccountUser(
  namespace: string,
  { name, uid }: { readonly name: string; readonly uid: string },
): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  };
}

function readReference(value: unknown): { readonly name: string; readonly uid: string } | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, uid } = value;
  return typeof name === "string" && typeof uid === "string" ? { name, uid } : undefined;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
