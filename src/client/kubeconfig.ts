import { HintedError } from "#base/hinted-error.ts";
import { isJsonObject, type JsonObject, member } from "#base/json.ts";
import { parseYaml } from "#base/parse-yaml.ts";
import type { ServerAccess } from "./https-wire.ts";

export interface KubeconfigRequest {
  /** Which context; undefined: the current one. */
  readonly context: string | undefined;
  /** Reads a file that the kubeconfig names; relative names are relative to it. */
  readonly readFile: (name: string) => string;
}

/** What one context of a kubeconfig says. */
export interface KubeconfigAccess extends ServerAccess {
  readonly context: string;
  /** The namespace that the context names. */
  readonly namespace: string | undefined;
  /** A command that prints credentials (`user.exec`), as it stands there; whoever reads the kubeconfig decides whether to run it. */
  readonly exec: JsonObject | undefined;
}

/** What we do not take credentials from, and refuse rather than go without them. */
const refused = ["auth-provider", "username", "as", "as-uid", "as-groups", "as-user-extra"];

/** Reads where a kubeconfig's context leads and who we are there; credentials in files are read now. Throws what is wrong by name. */
export function readKubeconfig(text: string, { context, readFile }: KubeconfigRequest): KubeconfigAccess {
  const config = parseYaml(text).value;
  if (!isJsonObject(config)) throw wrong("it is no object");
  const name = context ?? textOf(config, "current-context");
  if (name === undefined) throw wrong("it has no current context");
  const chosen = namedIn(config, { list: "contexts", kind: "context", name });
  const cluster = namedIn(config, { list: "clusters", kind: "cluster", name: textOf(chosen, "cluster") ?? "" });
  const userName = textOf(chosen, "user");
  const user = userName === undefined ? {} : namedIn(config, { list: "users", kind: "user", name: userName });
  for (const field of refused) {
    if (member(user, field) !== undefined) throw wrong(`user ${userName} has ${field}, which is not supported`);
  }
  const exec = member(user, "exec");
  const token = tokenOf(user, readFile);
  return {
    context: name,
    namespace: textOf(chosen, "namespace"),
    server: serverOf(cluster),
    token,
    proxy: proxyOf(cluster),
    identity: {
      ca: pemOf(cluster, { field: "certificate-authority", readFile }),
      skipVerification: member(cluster, "insecure-skip-tls-verify") === true,
      serverName: textOf(cluster, "tls-server-name"),
      clientCertificate: clientCertificateOf(user, readFile),
    },
    exec: isJsonObject(exec) ? exec : undefined,
  };
}

interface Named {
  readonly list: "contexts" | "clusters" | "users";
  readonly kind: "context" | "cluster" | "user";
  readonly name: string;
}

function namedIn(config: JsonObject, { list, kind, name }: Named): JsonObject {
  const entries = member(config, list);
  const found = (Array.isArray(entries) ? entries : []).find(
    (each) => isJsonObject(each) && member(each, "name") === name,
  );
  const value = isJsonObject(found) ? member(found, kind) : undefined;
  if (!isJsonObject(value)) throw wrong(`it has no ${kind} ${JSON.stringify(name)}`);
  return value;
}

function serverOf(cluster: JsonObject): URL {
  const text = textOf(cluster, "server") ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:")
    throw wrong(`the cluster's server must be an https address, not ${JSON.stringify(text)}`);
  return url;
}

function proxyOf(cluster: JsonObject): ServerAccess["proxy"] {
  const text = textOf(cluster, "proxy-url");
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw wrong("the cluster's proxy-url must be http or https");
  return { url, headers: {} };
}

/** A file is read anew each time: its owner may replace it. */
function tokenOf(user: JsonObject, readFile: (name: string) => string): string | undefined {
  const file = textOf(user, "tokenFile");
  const token = file === undefined ? textOf(user, "token") : readFile(file).trim();
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw wrong("the user's token is no token");
  return token;
}

function clientCertificateOf(user: JsonObject, readFile: (name: string) => string) {
  const certificate = pemOf(user, { field: "client-certificate", readFile });
  const privateKey = pemOf(user, { field: "client-key", readFile });
  if ((certificate === undefined) !== (privateKey === undefined))
    throw wrong("the user has one of client-certificate and client-key without the other");
  return certificate === undefined ? undefined : { certificate, privateKey: privateKey! }; // both or none
}

interface Pem {
  readonly field: string;
  readonly readFile: (name: string) => string;
}

/** Inline data win over a file, as in every client of Kubernetes. */
function pemOf(from: JsonObject, { field, readFile }: Pem): string | undefined {
  const inline = textOf(from, `${field}-data`);
  if (inline !== undefined) return Buffer.from(inline, "base64").toString("utf8");
  const file = textOf(from, field);
  return file === undefined ? undefined : readFile(file);
}

function textOf(from: JsonObject, field: string): string | undefined {
  const value = member(from, field);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function wrong(detail: string): HintedError {
  return new HintedError(
    `cannot use the kubeconfig: ${detail}`,
    "`kubectl config view` shows what it says; --kubeconfig and --context choose another",
  );
}
