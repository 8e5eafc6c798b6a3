import { dirname, isAbsolute, join } from "node:path";
import { readBoundedFile } from "#app/bounded-text.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { TlsIdentity, TunnelProxy } from "#client/https-agents.ts";
import type { ConfigSection } from "./config-section.ts";
import { type ExecNeeds, execCredential } from "./exec-plugin.ts";
import type { ChosenContext } from "./kubeconfig.ts";

/** How a server is reached, and as whom. */
export interface ServerAccess {
  /** Of the context. */
  readonly name: string;
  readonly server: URL;
  readonly identity: TlsIdentity;
  readonly token: (() => Promise<string | undefined>) | undefined;
  readonly proxy: TunnelProxy | undefined;
  readonly namespace: string | undefined;
}

export interface AccessNeeds extends ExecNeeds {
  /** A file that nobody named may neither run programs nor name other files. */
  readonly trusted: boolean;
}

const maxFileBytes = 1024 * 1024;
/** How long a token that was read from a file is used before the file is read again. */
const tokenAgeMs = 10_000;

/** What a context of a kubeconfig says, with files read and plugins asked. */
export async function accessOfContext(context: ChosenContext, needs: AccessNeeds): Promise<ServerAccess> {
  const { name, cluster, user, namespace } = context;
  if (!needs.trusted) expectSelfContained(context);
  const server = serverOf(context);
  const exec = user?.section("exec");
  const plugin = exec === undefined ? undefined : await execCredential({ exec, cluster, server }, needs);
  refuseUnbuilt(user);
  return {
    name,
    server,
    namespace,
    proxy: proxyOf(cluster),
    token: plugin?.token ?? tokenOf(user, needs.nowMs),
    identity: {
      ca: materialOf(cluster, "certificate-authority"),
      clientCertificate: plugin?.clientCertificate ?? clientCertificateOf(user),
      skipVerification: cluster.flag("insecure-skip-tls-verify"),
      serverName: cluster.text("tls-server-name"),
    },
  };
}

/** The present content of a file of tokens: whoever rotates them writes the file anew. */
export function tokenFromFile(file: string, nowMs: () => number): () => Promise<string | undefined> {
  let known: { readonly token: string; readonly readMs: number } | undefined;
  return async () => {
    const now = nowMs();
    if (known !== undefined && now - known.readMs < tokenAgeMs) return known.token;
    const text = readBoundedFile(file, maxFileBytes)?.trim();
    if (text) known = { token: printableToken(text, file), readMs: now };
    else if (known === undefined) throw new HintedError(`cannot find a token in ${file}`, "is the file written yet?");
    return known?.token;
  };
}

function serverOf({ name, cluster }: ChosenContext): URL {
  const text = cluster.text("server") ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" && url.username === "" && url.search === "" && url.hash === "") return url;
  throw new HintedError(
    `cannot use context ${JSON.stringify(name)}: its server ${JSON.stringify(text)} is no https address`,
    "credentials are sent over TLS only; write https://host:port",
  );
}

function tokenOf(user: ConfigSection | undefined, nowMs: () => number): ServerAccess["token"] {
  const file = user?.text("tokenFile");
  if (user !== undefined && file !== undefined) return tokenFromFile(besides(user.file, file), nowMs);
  const token = user?.text("token");
  if (user === undefined || token === undefined) return undefined;
  const checked = printableToken(token, user.file);
  return async () => checked;
}

function clientCertificateOf(user: ConfigSection | undefined): TlsIdentity["clientCertificate"] {
  const certificate = user && materialOf(user, "client-certificate");
  const privateKey = user && materialOf(user, "client-key");
  if (certificate === undefined && privateKey === undefined) return undefined;
  if (certificate !== undefined && privateKey !== undefined) return { certificate, privateKey };
  throw new HintedError(
    `cannot use the user of kubeconfig ${user?.file}: it has one of client-certificate and client-key without the other`,
    "give both, as data or as files",
  );
}

/** PEM, inline as base64 or from a file; inline wins, as in kubectl. */
function materialOf(section: ConfigSection, key: string): string | undefined {
  const inline = section.text(`${key}-data`);
  if (inline !== undefined) return Buffer.from(inline, "base64").toString("utf8");
  const file = section.text(key);
  if (file === undefined) return undefined;
  const text = readBoundedFile(besides(section.file, file), maxFileBytes);
  if (text !== undefined) return text;
  throw new HintedError(`cannot find ${key} ${file}`, `kubeconfig ${section.file} names it`);
}

function besides(kubeconfig: string, file: string): string {
  return isAbsolute(file) ? file : join(dirname(kubeconfig), file);
}

function proxyOf(cluster: ConfigSection): TunnelProxy | undefined {
  const text = cluster.text("proxy-url");
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return { url, headers: proxyHeaders(url) };
  throw new HintedError(
    `cannot use proxy-url ${JSON.stringify(text)} of kubeconfig ${cluster.file}`,
    "proxies are http:// or https://; socks5 is not supported",
  );
}

function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

function printableToken(token: string, file: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new HintedError(
    `cannot use the token of ${file}: it has characters that no token has`,
    "is it the right file?",
  );
}

const unbuilt = ["username", "password", "auth-provider", "as", "as-groups", "as-uid", "as-user-extra"] as const;

function refuseUnbuilt(user: ConfigSection | undefined): void {
  const found = unbuilt.find((key) => user?.has(key));
  if (user === undefined || found === undefined) return;
  throw new HintedError(
    `cannot use the user of kubeconfig ${user.file}: ${found} is not supported`,
    "use a token, a client certificate or an exec plugin",
  );
}

function expectSelfContained({ cluster, user }: ChosenContext): void {
  const reaches = [
    cluster.has("certificate-authority") && "certificate-authority",
    ...["exec", "tokenFile", "client-certificate", "client-key"].map((key) => user?.has(key) && key),
  ].find((key) => typeof key === "string");
  if (reaches === undefined) return;
  throw new HintedError(
    `cannot use kubeconfig ${cluster.file}, found in the current folder: it has ${reaches}`,
    `if you trust it, name it: --kubeconfig ${cluster.file}`,
  );
}
