import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";
import { createClient } from "#client/client.ts";
import type { HousekeepingDelays } from "#housekeeping/housekeeping-needs.ts";
import { defaultSimulatorOptions, type SimulatorOptions } from "#simulator/simulator-options.ts";
import { type RunningSimulator, startSimulator } from "#simulator/start-simulator.ts";
import { bootstrapCluster } from "./bootstrap.ts";
import { loadBuiltinKinds } from "./builtin-kinds.ts";
import { createPki } from "./certificates.ts";
import { runHousekeeping } from "./cluster-housekeeping.ts";
import { EmbeddedCluster } from "./embedded-cluster.ts";
import { installOurKinds } from "./install-kinds.ts";
import { renderKubeconfig } from "./kubeconfig.ts";
import { loadOrCreatePki } from "./pki-files.ts";

export interface UpOptions {
  /** The members' names. */
  readonly members: readonly string[];
  readonly directory: string;
  /** The control plane's port; members take the following ones. 0: any free ports. */
  readonly port: number;
  /** Keep nothing: objects live as long as the process. */
  readonly memory: boolean;
  /** How the members' workloads behave, where it differs from the default. */
  readonly simulator?: Partial<SimulatorOptions>;
  /** How long things wait that are cleared up, where it differs from the default. */
  readonly delays?: Partial<HousekeepingDelays>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** A control plane and its simulated members in one process. */
export interface RunningFleet extends AsyncDisposable {
  readonly controlPlane: EmbeddedCluster;
  readonly members: readonly EmbeddedCluster[];
  /** What makes the members' workloads come alive, by member. */
  readonly simulators: ReadonlyMap<string, RunningSimulator>;
  readonly kubeconfig: string;
}

export const controlPlaneName = "flotilla";
const controlPlaneNamespaces = ["karmada-cluster", "karmada-system"];

/** Starts everything, or nothing: what was started before a failure is stopped again. */
export async function startFleet(options: UpOptions): Promise<RunningFleet> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const builtin = loadBuiltinKinds();
  const started: AsyncDisposable[] = [];
  const start = async (name: string, folder: string, port: number) => {
    const home = join(directory, folder);
    const request = { cluster: name, nowMs: options.clock.nowMs() };
    const pki = options.memory ? await createPki(request) : await loadOrCreatePki(home, request);
    const log = options.log.child({ cluster: name });
    const { clock, random, memory } = options;
    const cluster = await EmbeddedCluster.open({
      name,
      directory: memory ? undefined : home,
      pki,
      host: "127.0.0.1",
      port,
      builtin,
      clock,
      random,
      log,
    });
    started.push(cluster);
    const client = createClient({ transport: cluster.server, user: systemUser, manager: "flotilla" });
    await bootstrapCluster(client, folder === "control-plane" ? controlPlaneNamespaces : []);
    if (folder === "control-plane") await installOurKinds(client);
    started.push(runHousekeeping(cluster, { client, clock, log, ...(options.delays && { delays: options.delays }) }));
    await cluster.listen();
    return cluster;
  };
  const stopping = new AbortController();
  const simulators = new Map<string, RunningSimulator>();
  const simulate = ({ name, server }: EmbeddedCluster) => {
    const client = createClient({ transport: server, user: systemUser, manager: "flotilla-simulator" });
    const settings = { ...defaultSimulatorOptions, ...options.simulator };
    const log = options.log.child({ cluster: name });
    const { signal } = stopping;
    simulators.set(
      name,
      startSimulator({ member: name, client, clock: options.clock, log, signal, options: settings }),
    );
  };
  const stop = async () => {
    stopping.abort();
    for (const each of started.splice(0).reverse()) await each[Symbol.asyncDispose]();
  };
  try {
    const controlPlane = await start(controlPlaneName, "control-plane", options.port);
    const members: EmbeddedCluster[] = [];
    for (const [index, name] of options.members.entries()) {
      const member = await start(name, join("members", name), options.port === 0 ? 0 : options.port + index + 1);
      members.push(member);
      simulate(member);
    }
    const kubeconfig = writeKubeconfig(directory, [controlPlane, ...members]);
    return { controlPlane, members, simulators, kubeconfig, [Symbol.asyncDispose]: stop };
  } catch (error: unknown) {
    await stop();
    throw error;
  }
}

const systemUser = { name: "system:flotilla", groups: ["system:masters"] };

function writeKubeconfig(directory: string, clusters: readonly EmbeddedCluster[]): string {
  const file = join(directory, "kubeconfig");
  const entries = clusters.map(({ name, url, pki }) => ({ name, server: url, pki }));
  writeFileSync(file, renderKubeconfig(entries), { mode: 0o600 });
  return file;
}
