import { createPublicKey } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Authority, createAuthority, type KeyPair } from "#app/certificate-authority.ts";
import { type ClusterPki, createPki } from "#app/certificates.ts";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { systemClock } from "#app/system.ts";
import { type Client, createClient } from "#client/client.ts";
import { createHttpTransport, type HttpTransport } from "#client/http-transport.ts";
import type { ServerAccess } from "#client/https-wire.ts";
import { freePort, type RunningProgram, startProgram, whenReady } from "./program.ts";

export interface KubeClusterOptions {
  readonly name: string;
  readonly folder: string;
  readonly binaries: string;
  readonly etcd: string;
  /** More flags of kube-apiserver. */
  readonly flags?: readonly string[];
  /** Whether every request is written down, for `writes()`. */
  readonly audit?: boolean;
}

interface KubeClusterParts {
  readonly port: number;
  readonly pki: ClusterPki;
  /** Signs certificates of clients. */
  readonly clients: Authority;
}

/** One request as the audit log tells it. */
export interface AuditedRequest {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly requestReceivedTimestamp: string;
  readonly objectRef?: { readonly resource?: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
}

const auditPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- { level: Metadata, verbs: [create, update, patch, delete, deletecollection] }
- { level: None }
`;

/** A real kube-apiserver with certificates of its own; no kubelet, no controllers. */
export class KubeCluster {
  readonly name: string;
  readonly url: string;
  readonly pki: ClusterPki;
  /** Of an administrator. */
  readonly kubeconfig: string;
  readonly #options: KubeClusterOptions;
  readonly #transports: HttpTransport[] = [];
  readonly #clients: Authority;
  #issued = 1;
  #program: RunningProgram | undefined;

  private constructor(options: KubeClusterOptions, { port, pki, clients }: KubeClusterParts) {
    this.#options = options;
    this.#clients = clients;
    this.name = options.name;
    this.url = `https://127.0.0.1:${port}`;
    this.pki = pki;
    this.kubeconfig = join(options.folder, "kubeconfig");
  }

  static async start(options: KubeClusterOptions): Promise<KubeCluster> {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const pki = await createPki({ cluster: options.name, nowMs: Date.now() });
    const hourMs = 3_600_000;
    const validity = { notBeforeMs: Date.now() - hourMs, notAfterMs: Date.now() + 24 * hourMs };
    const clients = await createAuthority({ name: `CN=clients-of-${options.name}`, ...validity });
    const cluster = new KubeCluster(options, { pki, clients, port: await freePort() });
    cluster.#writeFiles();
    await cluster.start();
    return cluster;
  }

  /** Starts it, again at the same address if it ran before; with more flags for this time. */
  async start(...more: readonly string[]): Promise<void> {
    const { folder, binaries, name, etcd, flags = [] } = this.#options;
    const at = (file: string) => join(folder, file);
    this.#program = await startProgram({
      file: join(binaries, "kube-apiserver"),
      args: [
        `--etcd-servers=${etcd}`,
        `--etcd-prefix=/${name}`,
        "--bind-address=127.0.0.1",
        `--secure-port=${new URL(this.url).port}`,
        `--cert-dir=${at("made")}`,
        `--tls-cert-file=${at("server.crt")}`,
        `--tls-private-key-file=${at("server.key")}`,
        `--client-ca-file=${at("clients.crt")}`,
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${at("accounts.pub")}`,
        `--service-account-signing-key-file=${at("accounts.key")}`,
        "--service-cluster-ip-range=10.0.0.0/16",
        "--authorization-mode=RBAC",
        "--endpoint-reconciler-type=none",
        "--profiling=false",
        ...(this.#options.audit === true
          ? [`--audit-policy-file=${at("audit.yaml")}`, `--audit-log-path=${at("audit")}`]
          : []),
        ...flags,
        ...more,
      ],
      log: at("log"),
    });
    const transport = this.transport();
    const look = async () => (await transport.probe("/readyz", AbortSignal.timeout(5_000))) === 200;
    await whenReady(this.#program, look, `kube-apiserver ${name}`);
  }

  /** Ends it at once; what it holds is in etcd. */
  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  signal(name: NodeJS.Signals): void {
    this.#program?.signal(name);
  }

  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  /** A client certificate that it knows. */
  issueCertificate(user: string, group: string): Promise<KeyPair> {
    const serial = (++this.#issued).toString(16).padStart(2, "0");
    return this.#clients.issue({ serial, subject: `CN=${user}, O=${group}`, usage: "client" });
  }

  /** How its administrator reaches it. */
  get access(): ServerAccess {
    const { ca, admin } = this.pki;
    return { server: new URL(this.url), identity: { ca: ca.certificate, clientCertificate: admin } };
  }

  /** A way to it as its administrator. */
  transport(): HttpTransport {
    const transport = createHttpTransport({
      ...this.access,
      addresses: { allowLoopback: true },
      clock: systemClock,
    });
    this.#transports.push(transport);
    return transport;
  }

  client(manager: string): Client {
    return createClient({ transport: this.transport(), user: { name: "", groups: [] }, manager });
  }

  /** Every write that was answered, in the order of the answers. */
  writes(): readonly AuditedRequest[] {
    return readFileSync(join(this.#options.folder, "audit"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as AuditedRequest); // as kube-apiserver writes them
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const transport of this.#transports) transport.close();
    await this.kill();
  }

  #writeFiles(): void {
    const { folder } = this.#options;
    const { ca, server, serviceAccountKey } = this.pki;
    const files = {
      "audit.yaml": auditPolicy,
      "clients.crt": `${ca.certificate}\n${this.#clients.keyPair.certificate}`,
      "server.crt": server.certificate,
      "server.key": server.privateKey,
      "accounts.key": serviceAccountKey,
      "accounts.pub": createPublicKey(serviceAccountKey).export({ type: "spki", format: "pem" }).toString(),
      kubeconfig: renderKubeconfig([{ name: this.name, server: this.url, pki: this.pki }]),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
}
