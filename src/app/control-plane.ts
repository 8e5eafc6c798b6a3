import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ObjectTexts } from "#apiserver/http/object-text.ts";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import type { Clock } from "#base/clock.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Logger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";
import { type Client, createClient } from "#client/client.ts";
import type { HousekeepingDelays } from "#housekeeping/housekeeping-needs.ts";
import { defaultRemoteMemberRules, type RemoteMemberRules } from "#members/cluster-access.ts";
import { clusterConnector } from "#members/cluster-connector.ts";
import { createEventRecorder } from "#runtime/event-recorder.ts";
import { defaultSimulatorOptions, type SimulatorOptions } from "#simulator/simulator-options.ts";
import { type RunningSimulator, startSimulator } from "#simulator/start-simulator.ts";
import { SqliteThreads } from "#storage/sqlite-threads.ts";
import { StoreFailure } from "#storage/store-failure.ts";
import { type BuiltinKinds, loadBuiltinKinds } from "./builtin-kinds.ts";
import type { MakePki } from "./certificates.ts";
import { runHousekeeping } from "./cluster-housekeeping.ts";
import type { EmbeddedCluster } from "./embedded-cluster.ts";
import { embeddedConnector, type MemberLookup, memberManager } from "./embedded-connector.ts";
import { type EmbeddedPlanner, embeddedPlanner } from "./embedded-planner.ts";
import { fleetMetrics } from "./fleet-metrics.ts";
import { inTurn } from "./in-turn.ts";
import { renderKubeconfig } from "./kubeconfig.ts";
import { defaultPipelineOptions, type PipelineOptions, startPipeline } from "./pipeline.ts";
import { planQuestions } from "./plan-questions.ts";
import type { PrometheusMetrics } from "./prometheus-metrics.ts";
import { Readiness } from "./readiness.ts";
import { registerMember } from "./register-member.ts";
import { servedTemplates } from "./served-templates.ts";
import { startCluster, systemUser } from "./start-cluster.ts";
import { boundThreadHeaps } from "./thread-heaps.ts";

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
  /** How the controllers behave, where it differs from the default. */
  readonly pipeline?: Partial<PipelineOptions>;
  /** What is allowed for members elsewhere, where it differs from the default; here they may be on this very machine. */
  readonly remoteMembers?: Partial<RemoteMemberRules>;
  /** What takes long to make, for whoever starts many fleets in one process. */
  readonly premade?: { readonly builtin: BuiltinKinds; readonly makePki: MakePki; readonly settled?: SettledParts };
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
  readonly planner: EmbeddedPlanner;
}

export const controlPlaneName = "flotilla";

/** For the databases of all members, so that few have one each; the control plane's has a thread of its own. */
const memberThreads = 8;

/** Starts everything, or nothing: what was started before a failure is stopped again. */
export async function startFleet(options: UpOptions): Promise<RunningFleet> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  boundThreadHeaps();
  const parts: AsyncDisposable[] = [];
  const controllers: AsyncDisposable[] = [];
  const readiness = new Readiness();
  const stop = async () => {
    readiness.stopping();
    // whoever writes to clusters stops before them, although some are opened later
    for (const each of [...controllers.splice(0), ...parts.splice(0).reverse()]) await each[Symbol.asyncDispose]();
  };
  try {
    const fleet = await startParts(
      { ...options, directory },
      { started: (part) => parts.push(part), controlling: (part) => controllers.push(part), readiness },
    );
    return { ...fleet, [Symbol.asyncDispose]: stop };
  } catch (error: unknown) {
    await stop();
    throw error instanceof StoreFailure && error.why === "locked"
      ? new HintedError(error.message, openElsewhere)
      : error;
  }
}

const openElsewhere =
  "use the one that runs, stop it, or start another beside it with data and a port of its own: flotilla up --data DIR --port 0";

interface Lifetime {
  readonly started: (part: AsyncDisposable) => void;
  /** The same for what writes to the clusters. */
  readonly controlling: (part: AsyncDisposable) => void;
  readonly readiness: Readiness;
}

async function startParts(
  options: UpOptions,
  { started, controlling, readiness }: Lifetime,
): Promise<Omit<RunningFleet, typeof Symbol.asyncDispose>> {
  const { directory, port, memory, clock, random, delays } = options;
  const common = {
    directory,
    memory,
    clock,
    random,
    started,
    settled: options.premade?.settled ?? new SettledParts(),
    texts: new ObjectTexts(),
    builtin: options.premade?.builtin ?? loadBuiltinKinds(),
    ...(options.premade && { makePki: options.premade.makePki }),
    ...(delays && { delays }),
  };
  const metrics = fleetMetrics();
  const logOf = (name: string) => options.log.child({ cluster: name });
  let planner: EmbeddedPlanner | undefined;
  const controlPlane = await startCluster({
    ...common,
    questions: planQuestions(() => planner),
    name: controlPlaneName,
    role: "control plane",
    ...(options.pipeline?.gates && { gates: options.pipeline.gates }),
    port,
    checks: readiness.checks,
    pages: new Map([["/metrics", () => metrics.text()]]),
    log: logOf(controlPlaneName),
  });
  const client = createClient({ transport: controlPlane.server, user: systemUser, manager: "flotilla" });
  const simulators = new Map<string, RunningSimulator>();
  const threads = new SqliteThreads({ limit: memberThreads });
  const openMember = async (name: string, index: number) => {
    const member = await startCluster({
      ...common,
      name,
      role: "member",
      threads,
      checks: readiness.memberChecks,
      port: port === 0 ? 0 : port + index + 1,
      log: logOf(name),
    });
    simulators.set(name, simulate(member, options, started));
    await registerMember(client, member);
    return member;
  };
  // what members have is read back once the control plane is ready: as with members elsewhere, it does not wait for them
  const later = inTurn(options.members, openMember);
  planner = await startControllers(controlPlane, later.get, {
    options,
    client,
    started,
    controlling,
    readiness,
    metrics,
  });
  const members = await later.begin();
  common.settled.allRestored();
  // reads everything once: whoever asks whether the control plane is ready need not wait for that
  const log = logOf(controlPlaneName);
  started(runHousekeeping(controlPlane, { client, clock, log, ...(delays && { delays }) }));
  return {
    controlPlane,
    members,
    simulators,
    planner,
    kubeconfig: writeKubeconfig(directory, [controlPlane, ...members]),
  };
}

function simulate(
  { name, server }: EmbeddedCluster,
  options: UpOptions,
  started: (part: AsyncDisposable) => void,
): RunningSimulator {
  const stopping = new AbortController();
  started({ [Symbol.asyncDispose]: async () => stopping.abort() });
  const { clock, random } = options;
  const log = options.log.child({ cluster: name });
  const client = createClient({ transport: server, user: systemUser, manager: "flotilla-simulator" });
  return startSimulator({
    member: name,
    client,
    clock,
    log,
    signal: stopping.signal,
    options: { ...defaultSimulatorOptions, ...options.simulator },
    recorderOf: (component) => createEventRecorder({ client, clock, random, log, component }),
  });
}

interface ControllerParts extends Lifetime {
  readonly metrics: PrometheusMetrics;
  readonly options: UpOptions;
  readonly client: Client;
}

async function startControllers(
  controlPlane: EmbeddedCluster,
  memberOf: MemberLookup,
  { options, client, controlling, readiness, metrics }: ControllerParts,
): Promise<EmbeddedPlanner> {
  const rules = { ...defaultRemoteMemberRules, allowLoopback: true, ...options.remoteMembers };
  const pipeline = startPipeline({
    client,
    clock: options.clock,
    random: options.random,
    log: options.log,
    metrics,
    served: servedTemplates(controlPlane.server.core.registry),
    connector: embeddedConnector(
      memberOf,
      clusterConnector({ client, clock: options.clock, rules, manager: memberManager }),
    ),
    memberManager,
    options: { ...defaultPipelineOptions, ...options.pipeline },
  });
  controlling(pipeline);
  readiness.controllersStarted(pipeline.waitsFor);
  await pipeline.whenReady();
  return embeddedPlanner(controlPlane.path, pipeline);
}

function writeKubeconfig(directory: string, clusters: readonly EmbeddedCluster[]): string {
  const file = join(directory, "kubeconfig");
  const entries = clusters.map(({ name, url, pki }) => ({ name, server: url, pki }));
  writeFileSync(file, renderKubeconfig(entries), { mode: 0o600 });
  return file;
}
