import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { controllersAccount } from "#app/installation/names.ts";
import { systemClock } from "#app/system.ts";
import { printYaml } from "#base/print-yaml.ts";
import { createHttpTransport } from "#client/http-transport.ts";
import type { KubeFleet } from "./kube-fleet.ts";
import { type RunningProgram, startProgram, whenReady } from "./program.ts";

const dist = join(process.cwd(), "dist", "flotilla.js"); // of the checkout: tests and benchmarks run from its root
const accounts: ResourceId = {
  group: "",
  version: "v1",
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  namespaced: true,
};
const rbac = (resource: string, kind: string, namespaced: boolean): ResourceId => ({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  resource,
  kind,
  namespaced,
});
const clusterBindings = rbac("clusterrolebindings", "ClusterRoleBinding", false);
const roleBindings = rbac("rolebindings", "RoleBinding", true);
const namespace = "karmada-system";

interface ProcessOptions {
  /** By default it talks to the control plane itself. */
  readonly server?: string;
  /** Who its kubeconfig says that it is; by default whoever the token is that it reads. */
  readonly user?: object;
}

/** A process of `flotilla controllers` with a service account of its own, so that its writes can be told from others'. */
export class ControllersProcess {
  readonly name: string;
  readonly #fleet: KubeFleet;
  readonly #folder: string;
  readonly #server: string;
  readonly #user: object;
  #program: RunningProgram | undefined;
  #healthPort = 0;
  #metricsPort = 0;
  #starts = 0;

  constructor(fleet: KubeFleet, name: string, { server = fleet.controlPlane.url, user }: ProcessOptions = {}) {
    this.name = name;
    this.#fleet = fleet;
    this.#server = server;
    this.#user = user ?? { tokenFile: "token" };
    this.#folder = join(fleet.folder, name);
  }

  /** Under which the API server knows it. */
  get user(): string {
    return `system:serviceaccount:${namespace}:${this.name}`;
  }

  /** Starts it with a new account; resolves when it answers probes. */
  async start(...flags: readonly string[]): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    await this.createAccount();
    await this.writeToken();
    this.#writeKubeconfig();
    const log = join(this.#folder, `log-${++this.#starts}`);
    const args = [
      dist,
      "controllers",
      `--kubeconfig=${join(this.#folder, "kubeconfig")}`,
      "--metrics-bind-address=127.0.0.1:0",
      "--health-probe-bind-address=127.0.0.1:0",
      "--allow-loopback-members",
      ...flags,
    ];
    const started = await startProgram({ file: process.execPath, args, log });
    this.#program = started;
    const look = async () => {
      this.#metricsPort = Number(/metrics port (\d+)/.exec(started.lastWords())?.[1] ?? 0);
      this.#healthPort = Number(/health port (\d+)/.exec(started.lastWords())?.[1] ?? 0);
      return this.#healthPort > 0;
    };
    await whenReady(started, look, `controllers ${this.name}`);
  }

  /** A service account with the rights that `flotilla install` gives to the controllers, in the place of one of the same name. */
  async createAccount(): Promise<void> {
    const client = this.#fleet.controlPlane.client("test");
    const metadata = { namespace, name: this.name };
    await client.delete(accounts, metadata);
    await client.create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    const subjects = [{ kind: "ServiceAccount", ...metadata }];
    const put = async (resource: ResourceId, kind: "ClusterRole" | "Role") => {
      const key = { name: this.name, ...(resource.namespaced && { namespace }) };
      const roleRef = { apiGroup: resource.group, kind, name: controllersAccount };
      const patch = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: resource.kind,
        metadata: key,
        roleRef,
        subjects,
      };
      await client.patch(resource, key, { type: "apply", patch, force: true });
    };
    await put(clusterBindings, "ClusterRole");
    await put(roleBindings, "Role");
  }

  /** Puts a token that is valid now where the process reads it. */
  async writeToken(): Promise<void> {
    writeFileSync(join(this.#folder, "token"), await this.requestToken());
  }

  /** A token of its account that is valid now. */
  async requestToken(): Promise<string> {
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
    const client = this.#fleet.controlPlane.client("test");
    const answer = await client.post(
      accounts,
      { namespace, name: this.name },
      { verb: "create", subresource: "token", body },
    );
    return (answer as { status: { token: string } }).status.token; // a TokenRequest
  }

  /** Whether the API server still knows the token that it reads. */
  async isKnown(): Promise<boolean> {
    const { identity, server } = this.#fleet.controlPlane.access;
    const transport = createHttpTransport({
      server,
      identity: { ca: identity.ca },
      token: readFileSync(join(this.#folder, "token"), "utf8"),
      addresses: { allowLoopback: true },
      clock: systemClock,
    });
    const code = await transport.probe("/api", AbortSignal.timeout(10_000));
    transport.close();
    return code !== 401;
  }

  /** What `/readyz` says. */
  async readiness(): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.#healthPort}/readyz`, { signal: AbortSignal.timeout(5_000) });
    return answer.text();
  }

  /** What `/metrics` says. */
  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)).text();
  }

  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  async isLeading(): Promise<boolean> {
    return (await this.readiness().catch(() => "")).includes("ok, leading");
  }

  signal(name: NodeJS.Signals): void {
    this.#program?.signal(name);
  }

  /** As a power cut does. */
  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  /** As kubelet does at first; resolves when it has ended by itself. */
  async stop(): Promise<void> {
    this.signal("SIGTERM");
    await this.#program?.ended;
  }

  lastWords(): string {
    return this.#program?.lastWords() ?? "";
  }

  #writeKubeconfig(): void {
    const ca = Buffer.from(this.#fleet.controlPlane.pki.ca.certificate).toString("base64");
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: this.#server, "certificate-authority-data": ca } }],
      users: [{ name: "u", user: this.#user }],
    };
    writeFileSync(join(this.#folder, "kubeconfig"), printYaml(config));
  }
}
