import { spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import { HintedError } from "#base/hinted-error.ts";
import { isJsonObject, type JsonObject, member } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import type { TlsIdentity } from "#client/https-agents.ts";
import type { ConfigSection } from "./config-section.ts";

export interface ExecNeeds {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** Whether somebody sits at the terminal who can answer a plugin's questions. */
  readonly interactive: boolean;
}

/** What a plugin vouches for. */
export interface ExecCredential {
  readonly token: (() => Promise<string | undefined>) | undefined;
  readonly clientCertificate: TlsIdentity["clientCertificate"];
}

interface Plugin {
  readonly exec: ConfigSection;
  readonly cluster: ConfigSection;
  readonly server: URL;
}

const versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
const maxOutputBytes = 1024 * 1024;
/** Enough for a person to log in somewhere. */
const maxMs = 5 * 60_000;
/** A token is fetched anew that long before it expires. */
const leewayMs = 30_000;

/** Asks a credential plugin (client.authentication.k8s.io); its token is asked for again when it is about to expire. */
export async function execCredential(plugin: Plugin, needs: ExecNeeds): Promise<ExecCredential> {
  let status = await statusFrom(plugin, needs);
  const { clientCertificate } = status;
  if (status.token === undefined) return { token: undefined, clientCertificate };
  return {
    clientCertificate,
    async token() {
      if (needs.nowMs() > status.expiresMs - leewayMs) status = await statusFrom(plugin, needs);
      return status.token;
    },
  };
}

interface ExecStatus {
  readonly token: string | undefined;
  readonly clientCertificate: TlsIdentity["clientCertificate"];
  readonly expiresMs: number;
}

async function statusFrom(plugin: Plugin, needs: ExecNeeds): Promise<ExecStatus> {
  const { exec } = plugin;
  const command = exec.text("command") ?? "";
  const apiVersion = exec.text("apiVersion") ?? "";
  const refuse = (detail: string, hint: string) =>
    new HintedError(`cannot get credentials from ${JSON.stringify(command)}: ${detail}`, hint);
  if (command === "") throw refuse("exec.command is missing", `repair kubeconfig ${exec.file}`);
  if (!versions.includes(apiVersion))
    throw refuse(`exec.apiVersion is ${JSON.stringify(apiVersion)}`, `supported are ${versions.join(" and ")}`);
  const mode = exec.text("interactiveMode") ?? "IfAvailable";
  if (mode === "Always" && !needs.interactive) throw refuse("it needs a terminal", "call it from a terminal");
  const interactive = mode !== "Never" && needs.interactive;
  const { output, failure } = await run(plugin, { ...needs, interactive });
  if (failure !== undefined)
    throw refuse(
      failure,
      exec.text("installHint") ?? `kubeconfig ${exec.file} names this program; does it work by hand?`,
    );
  return statusIn(output, { apiVersion, refuse });
}

type Refuse = (detail: string, hint: string) => HintedError;

function statusIn(output: string, { apiVersion, refuse }: { readonly apiVersion: string; readonly refuse: Refuse }) {
  const hint = "it must print an ExecCredential with a status";
  let value: unknown;
  try {
    value = parseJson(output).value;
  } catch {
    throw refuse("it printed no JSON", hint);
  }
  if (!isJsonObject(value) || value["kind"] !== "ExecCredential" || !isJsonObject(value["status"]))
    throw refuse("it printed no ExecCredential", hint);
  if (value["apiVersion"] !== apiVersion) throw refuse("it printed another apiVersion than was asked for", hint);
  const text = (key: string) => textIn(value["status"] as JsonObject, key); // seen above
  const [token, certificate, privateKey] = [text("token"), text("clientCertificateData"), text("clientKeyData")];
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw refuse("its token is no token", hint);
  if ((certificate === undefined) !== (privateKey === undefined))
    throw refuse("it gave one of clientCertificateData and clientKeyData without the other", hint);
  if (token === undefined && certificate === undefined) throw refuse("it gave no credentials", hint);
  const expires = Date.parse(text("expirationTimestamp") ?? "");
  return {
    token,
    clientCertificate: certificate === undefined ? undefined : { certificate, privateKey: privateKey! }, // both or none
    expiresMs: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires,
  };
}

interface Outcome {
  readonly output: string;
  readonly failure?: string;
}

function run({ exec, cluster, server }: Plugin, { env, interactive }: ExecNeeds): Promise<Outcome> {
  const asked = {
    apiVersion: exec.text("apiVersion"),
    kind: "ExecCredential",
    spec: { interactive, ...(exec.flag("provideClusterInfo") && { cluster: clusterInfo(cluster, server) }) },
  };
  const own = Object.fromEntries(
    exec.sections("env").map((each) => [each.text("name") ?? "", each.text("value") ?? ""]),
  );
  const command = exec.text("command")!; // seen before
  return new Promise((done) => {
    const child = spawn(/[\\/]/.test(command) ? resolve(dirname(exec.file), command) : command, exec.texts("args"), {
      env: { ...env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(asked) },
      stdio: [interactive ? "inherit" : "ignore", "pipe", "inherit"],
      shell: false,
      timeout: maxMs,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.once("error", ({ code, message }: NodeJS.ErrnoException) => done({ output: "", failure: code ?? message }));
    child.once("close", (code, signal) => {
      const output = Buffer.concat(chunks).toString("utf8");
      if (code === 0) return done({ output });
      done({
        output,
        failure: bytes > maxOutputBytes ? "it printed too much" : `it ended with ${signal ?? `code ${code}`}`,
      });
    });
  });
}

function clusterInfo(cluster: ConfigSection, server: URL): JsonObject {
  const ca = cluster.text("certificate-authority-data");
  const name = cluster.text("tls-server-name");
  return {
    server: server.href,
    ...(ca !== undefined && { "certificate-authority-data": ca }),
    ...(name !== undefined && { "tls-server-name": name }),
    ...(cluster.flag("insecure-skip-tls-verify") && { "insecure-skip-tls-verify": true }),
  };
}

function textIn(value: JsonObject, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === "string" && found !== "" ? found : undefined;
}
