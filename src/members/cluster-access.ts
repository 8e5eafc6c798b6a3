import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Cluster } from "#api/cluster/cluster.ts";
import { clusterNamespace } from "#api/cluster/namespaces.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { TunnelProxy } from "#client/https-agents.ts";
import type { ServerAccess } from "#client/https-wire.ts";

/** What the operator allows for members that are reached over the network. */
export interface RemoteMemberRules {
  /** Members on this very machine: for trials. */
  readonly allowLoopback: boolean;
  /** `insecureSkipTLSVerification`, which sends credentials to whoever answers. */
  readonly allowInsecureTls: boolean;
  /** Where secrets of clusters may lie (ruling 22). */
  readonly secretNamespaces: readonly string[];
}

export const defaultRemoteMemberRules: RemoteMemberRules = {
  allowLoopback: false,
  allowInsecureTls: false,
  secretNamespaces: [clusterNamespace],
};

/** The address of a cluster's API server: https, and nothing in it but host, port and path. */
export function endpointOf({ spec }: Cluster): URL {
  const text = spec.apiEndpoint ?? "";
  if (text === "") throw new Error("spec.apiEndpoint is missing");
  const url = parsed(/^[a-zA-Z][-+.a-zA-Z0-9]*:\/\//.test(text) ? text : `https://${text}`, "spec.apiEndpoint");
  if (url.protocol !== "https:") throw new Error(`spec.apiEndpoint must be https, not ${url.protocol.slice(0, -1)}`);
  expectPlain(url, text, "spec.apiEndpoint");
  return url;
}

/** The secret that a cluster names, as far as it may name it. */
export function secretKeyOf({ spec }: Cluster, { secretNamespaces }: RemoteMemberRules) {
  const { secretRef } = spec;
  if (secretRef === undefined || !secretRef.name) throw new Error("spec.secretRef is missing");
  const { namespace, name } = secretRef;
  if (!secretNamespaces.includes(namespace))
    throw new Error(
      `spec.secretRef.namespace must be ${secretNamespaces.join(" or ")}, not ${JSON.stringify(namespace)}`,
    );
  return { namespace, name };
}

/**
 * Puts together what a Cluster and its secret say. The secret's data: `caBundle` (PEM; the system's authorities when absent), and
 * either `token` or `tls.crt` with `tls.key` (PEM).
 */
export function accessOf(cluster: Cluster, secret: Fields, rules: RemoteMemberRules): ServerAccess {
  const { spec } = cluster;
  const data = (key: string) => decoded(secret, key);
  const token = data("token")?.trim();
  const certificate = data("tls.crt");
  const privateKey = data("tls.key");
  if ((certificate === undefined) !== (privateKey === undefined))
    throw new Error("the secret has one of tls.crt and tls.key without the other");
  if (!token && certificate === undefined) throw new Error("the secret has neither a token nor tls.crt and tls.key");
  if (token !== undefined && !/^[\x21-\x7e]*$/.test(token)) throw new Error("the secret's token is no token");
  const skipVerification = spec.insecureSkipTLSVerification === true;
  if (skipVerification && !rules.allowInsecureTls)
    throw new Error("spec.insecureSkipTLSVerification is not allowed by the operator");
  return {
    server: endpointOf(cluster),
    token: token || undefined,
    proxy: proxyOf(cluster),
    identity: {
      ca: data("caBundle"),
      skipVerification,
      clientCertificate: certificate === undefined ? undefined : { certificate, privateKey: privateKey! }, // both or none
    },
  };
}

function proxyOf({ spec }: Cluster): TunnelProxy | undefined {
  if (!spec.proxyURL) return undefined;
  const url = parsed(spec.proxyURL, "spec.proxyURL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Error(`spec.proxyURL must be http or https; ${url.protocol.slice(0, -1)} is not supported`);
  expectPlain(url, spec.proxyURL, "spec.proxyURL");
  const headers = { ...spec.proxyHeader };
  for (const [name, value] of Object.entries(headers)) expectHeader(name, value);
  return { url, headers };
}

function expectHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new Error(`spec.proxyHeader has ${JSON.stringify(name)}, which is no valid header`);
  }
}

function expectPlain(url: URL, text: string, field: string): void {
  if (url.username !== "" || url.password !== "") throw new Error(`${field} must not contain a user`);
  if (text.includes("?") || text.includes("#")) throw new Error(`${field} must not contain a query or fragment`);
}

function parsed(text: string, field: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new Error(`${field} is no URL`);
  }
}

function decoded(secret: Fields, key: string): string | undefined {
  const text: unknown = secret["data"]?.[key];
  return typeof text === "string" && text !== "" ? Buffer.from(text, "base64").toString("utf8") : undefined;
}
