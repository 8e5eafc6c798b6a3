import { setMaxListeners } from "node:events";
import { clusterNamespace } from "#api/cluster/namespaces.ts";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import { wireUser } from "#app/control-plane-access.ts";
import { fleetMetrics } from "#app/fleet-metrics.ts";
import { install } from "#app/installation/install.ts";
import { join } from "#app/membership/join.ts";
import type { RunningPipeline } from "#app/pipeline.ts";
import { startControllers } from "#app/start-controllers.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { type RunningWebhook, startWebhook } from "#app/webhook/start-webhook.ts";
import { silentLogger } from "#base/logger.ts";
import type { HttpTransport } from "#client/http-transport.ts";
import { type KeptHouse, keepHouse } from "./keep-house.ts";
import { KubeAccess } from "./kube-access.ts";
import { KubeFleet, type KubeFleetOptions } from "./kube-fleet.ts";
import { freePort } from "./program.ts";

/** A fleet of real API servers with everything installed, for one story after another. */
export class KubeTheatre implements AsyncDisposable {
  readonly fleet: KubeFleet;
  readonly controlPlane: KubeAccess;
  readonly members: ReadonlyMap<string, KubeAccess>;
  readonly metrics = fleetMetrics();
  readonly #houses: readonly KeptHouse[];
  readonly #parts: readonly AsyncDisposable[];
  readonly #transport: HttpTransport;
  #controllers: RunningPipeline | undefined;
  #gates: FeatureGates = gatesWith();
  #stopping = new AbortController();

  private constructor(fleet: KubeFleet, parts: readonly AsyncDisposable[], houses: readonly KeptHouse[]) {
    this.fleet = fleet;
    this.#parts = parts;
    this.#houses = houses;
    this.#transport = fleet.controlPlane.transport();
    this.controlPlane = new KubeAccess(fleet.controlPlane);
    this.members = new Map(fleet.members.map((member) => [member.name, new KubeAccess(member)]));
  }

  static async open(options: KubeFleetOptions): Promise<KubeTheatre> {
    const fleet = await KubeFleet.start(options);
    const port = await freePort();
    await installOn(fleet, port);
    const webhook = await startWebhookHere(fleet, port);
    const houses = await Promise.all([
      keepHouse(fleet.controlPlane, "control plane"),
      ...fleet.members.map((member) => keepHouse(member, "member")),
    ]);
    const theatre = new KubeTheatre(fleet, [webhook, ...houses], houses);
    for (const { name } of fleet.members) await theatre.join(name);
    return theatre;
  }

  /** Makes a member join, as `flotilla join` does. */
  async join(name: string): Promise<void> {
    const { url, pki } = this.fleet.member(name);
    await join(
      {
        cluster: name,
        namespace: clusterNamespace,
        endpoint: new URL(url),
        identity: { ca: pki.ca.certificate },
        proxy: undefined,
      },
      {
        controlPlane: this.controlPlane.client,
        member: this.members.get(name)!.client,
        clock: systemClock,
        timeoutMs: 60_000,
        dryRun: false,
        report() {},
      },
    );
  }

  /** Has the controllers running with these gates. */
  async play(gates: Partial<FeatureGates>): Promise<void> {
    const wanted = gatesWith(gates);
    if (this.#controllers !== undefined && JSON.stringify(wanted) === JSON.stringify(this.#gates)) return;
    await this.stopControllers();
    this.#gates = wanted;
    await this.startControllers();
  }

  get isPlaying(): boolean {
    return this.#controllers !== undefined;
  }

  /** What was told of one story must not be heard in the next. */
  async forgetEvents(): Promise<void> {
    const namespaces = new Set((await this.controlPlane.list("events")).map(({ metadata }) => metadata.namespace));
    for (const namespace of namespaces) {
      const path = { group: "", version: "v1", resource: "events", namespace };
      await this.#transport.call({ verb: "deletecollection", path, user: wireUser, options: {} });
    }
  }

  async startControllers(): Promise<void> {
    await this.stopControllers();
    this.#stopping = new AbortController();
    setMaxListeners(0, this.#stopping.signal); // one for every stream
    this.#controllers = await startControllers(
      {
        readAccess: async () => this.fleet.controlPlane.access,
        rules: { allowLoopback: true },
        options: { gates: this.#gates, settleMs: 20, patienceMs: 200 },
        clock: systemClock,
        random: systemRandom,
        log: silentLogger,
        metrics: this.metrics,
      },
      this.#stopping.signal,
    );
    await this.#controllers.whenReady();
  }

  async stopControllers(): Promise<void> {
    this.#stopping.abort();
    await this.#controllers?.[Symbol.asyncDispose]();
    this.#controllers = undefined;
  }

  /**
   * Lets everything come to rest: nobody has anything to do, and nothing is written anywhere for a while. The while is counted in looks, which
   * take longer where the machine is busy.
   */
  async settle(): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (let quiet = 0, last = ""; quiet < quietLooks; ) {
      if (Date.now() > deadline) throw new Error("the fleet does not come to rest");
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      await Promise.all(this.#houses.map((house) => house.whenIdle()));
      const revision = await this.fleet.etcd.revision();
      const isQuiet = revision === last && this.#controllers?.isIdle() !== false;
      quiet = isQuiet ? quiet + 1 : 0;
      last = revision;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopControllers();
    for (const part of this.#parts) await part[Symbol.asyncDispose]();
    await this.fleet[Symbol.asyncDispose]();
  }
}

/** Our kinds, rights and the configuration of the webhook, as `flotilla install` sets them up. */
async function installOn({ controlPlane }: KubeFleet, port: number): Promise<void> {
  const client = controlPlane.client("install");
  const options = { webhook: true, url: `https://127.0.0.1:${port}` };
  await install(options, { client, clock: systemClock, timeoutMs: 60_000, adopt: false, report() {} });
}

function startWebhookHere({ controlPlane }: KubeFleet, port: number): Promise<RunningWebhook> {
  const options = {
    readAccess: async () => controlPlane.access,
    host: "127.0.0.1",
    port,
    certificate: { names: ["127.0.0.1"] },
    gates: {},
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
  };
  return startWebhook(options, new AbortController().signal);
}

const quietLooks = 6;
const lookMs = 20;
