import type { ApiCall, ApiTransport } from "#api/meta/api-call.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { SettledParts } from "#apiserver/write/settled-parts.ts";
import { storedFacts } from "#app/admission-facts.ts";
import { admissionDefaults } from "#app/admission-families.ts";
import { bootstrapCluster } from "#app/bootstrap.ts";
import { runHousekeeping } from "#app/cluster-housekeeping.ts";
import type { RunningFleet } from "#app/control-plane.ts";
import { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { embeddedConnector, memberManager } from "#app/embedded-connector.ts";
import { type EmbeddedPlanner, embeddedPlanner } from "#app/embedded-planner.ts";
import { installOurKinds } from "#app/install-kinds.ts";
import { karmadaAdmission } from "#app/karmada-admission.ts";
import { defaultPipelineOptions, type PipelineNeeds, type RunningPipeline, startPipeline } from "#app/pipeline.ts";
import { registerMember } from "#app/register-member.ts";
import { servedTemplates } from "#app/served-templates.ts";
import { systemUser } from "#app/start-cluster.ts";
import { type Logger, silentLogger } from "#base/logger.ts";
import { silentMetrics } from "#base/metrics.ts";
import { createClient } from "#client/client.ts";
import type { MemberConnector } from "#members/member-connection.ts";
import { defaultSimulatorOptions } from "#simulator/simulator-options.ts";
import { type RunningSimulator, startSimulator } from "#simulator/start-simulator.ts";
import { type RoadNeeds, RoughRoad, type Weather, type Written } from "./rough-road.ts";
import { slowParts } from "./slow-parts.ts";
import type { LaunchNeeds } from "./world.ts";

/** How controllers are made wrong on purpose. */
export interface Sabotage {
  readonly wrap?: PipelineNeeds["wrap"];
  /** What discovery does not show. */
  readonly hides?: (resource: ResourceId, fleet: RoughFleet) => boolean;
  /** Calls that arrive late. */
  readonly slow?: (call: ApiCall) => boolean;
  /** What a wrong controller would have called instead. */
  readonly tamper?: (about: {
    readonly cluster: string;
    readonly call: ApiCall;
    readonly fleet: RoughFleet;
  }) => ApiCall;
}

export interface RoughOptions {
  /** Whether who changes what a cache holds is to be caught. */
  readonly freezes?: boolean;
  /** Where all clusters keep what they need not look at again; otherwise each has its own. */
  readonly settled?: SettledParts | undefined;
}

/** How late a slow call arrives. */
const slowMs = 300;
/** How long the controllers are away after a crash. */
const restartMs = 500;

/**
 * A fleet whose controllers can die at any call and come back over the same clusters, and whose roads are as rough as the weather.
 * Nothing listens on the network: starting one takes a fraction of a real fleet's time.
 */
export class RoughFleet implements RunningFleet {
  readonly controlPlane: EmbeddedCluster;
  readonly members: readonly EmbeddedCluster[];
  readonly simulators = new Map<string, RunningSimulator>();
  readonly kubeconfig = "";
  /** What befalls the controllers' calls from now on. */
  weather: Weather = () => undefined;
  /** Told of every event that reaches the controllers from now on. */
  heard: RoadNeeds["heard"] = () => {};
  /** Members that nobody can reach. */
  readonly down = new Set<string>();
  /** Every write of the controllers that was carried out, events not counted. */
  readonly written: Written[] = [];
  /** Errors of the controllers that only a bug can make. */
  readonly bugs = new Set<string>();
  crashes = 0;
  /** How often the controllers were started. */
  starts = 0;
  readonly #needs: LaunchNeeds;
  readonly #parts: AsyncDisposable[];
  readonly #roads = new Map<string, RoughRoad>();
  readonly #impostors = new Map<string, EmbeddedCluster>();
  #sabotage: Sabotage = {};
  #freezes = true;
  #pipeline: RunningPipeline | undefined;
  #cancelRestart: (() => void) | undefined;

  private constructor(needs: LaunchNeeds, clusters: readonly EmbeddedCluster[], parts: AsyncDisposable[]) {
    this.#needs = needs;
    this.#parts = parts;
    this.controlPlane = clusters[0]!;
    this.members = clusters.slice(1);
  }

  static async launch(
    needs: LaunchNeeds,
    sabotage: Sabotage = {},
    { freezes = true, settled }: RoughOptions = {},
  ): Promise<RoughFleet> {
    const parts: AsyncDisposable[] = [];
    const clusters: EmbeddedCluster[] = [];
    for (const name of ["flotilla", ...needs.members])
      clusters.push(await openCluster(name, { ...needs, settled }, parts));
    const fleet = new RoughFleet(needs, clusters, parts);
    fleet.#sabotage = sabotage;
    fleet.#freezes = freezes;
    for (const member of fleet.members) fleet.simulators.set(member.name, simulate(member, needs, parts));
    const client = createClient({ transport: fleet.controlPlane.server, user: systemUser, manager: "flotilla" });
    for (const member of fleet.members) await registerMember(client, member);
    fleet.restartControllers();
    return fleet;
  }

  get planner(): EmbeddedPlanner {
    if (this.#pipeline === undefined) throw new Error("nobody is there to plan");
    return embeddedPlanner(this.controlPlane.path, this.#pipeline);
  }

  /** Ends the controllers as a crash does and starts them anew over the same clusters. */
  restartControllers(): void {
    this.#kill();
    this.starts++;
    this.#pipeline = startPipeline({
      client: createClient({ transport: this.#road(this.controlPlane), user: systemUser, manager: "flotilla" }),
      clock: this.#needs.clock,
      random: this.#needs.random,
      log: bugLogger(this.bugs),
      metrics: silentMetrics,
      served: this.#served(),
      connector: this.#connector(),
      memberManager,
      options: { ...defaultPipelineOptions, ...this.#needs.pipeline },
      ...(this.#sabotage.wrap && { wrap: this.#sabotage.wrap }),
    });
  }

  /** Ends the controllers as a crash does, until they are started again. */
  stopControllers(): void {
    this.#kill();
  }

  /** From now on another cluster, new and empty, answers at the address of a member. */
  async swap(member: string): Promise<EmbeddedCluster> {
    const impostor = await openCluster(member, this.#needs, this.#parts);
    this.#impostors.set(member, impostor);
    this.cut(member);
    return impostor;
  }

  /** Breaks every stream between the controllers and one cluster. */
  cut(cluster: string): void {
    this.#roads.get(cluster)?.cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
    for (const part of this.#parts.toReversed()) await part[Symbol.asyncDispose]();
  }

  #crash(): void {
    this.crashes++;
    this.#kill();
    this.#cancelRestart = this.#needs.clock.after(restartMs, () => this.restartControllers());
  }

  #kill(): void {
    this.#cancelRestart?.();
    for (const road of this.#roads.values()) road.close();
    this.#roads.clear();
    void this.#pipeline?.[Symbol.asyncDispose]();
    this.#pipeline = undefined;
  }

  #road({ name, server }: EmbeddedCluster): ApiTransport {
    const road = new RoughRoad({
      cluster: name,
      server: { call: (call) => (this.#impostors.get(name)?.server ?? server).call(call) },
      weather: (call) =>
        this.down.has(name) ? { kind: "refused", error: new Error(`cannot reach ${name}`) } : this.weather(call),
      crash: () => this.#crash(),
      written: (write) => {
        if (write.resource !== "events") this.written.push(write);
      },
      heard: (event) => this.heard(event),
      freezes: this.#freezes,
    });
    this.#roads.set(name, road);
    const { tamper, slow } = this.#sabotage;
    if (tamper === undefined && slow === undefined) return road;
    const { clock } = this.#needs;
    return {
      call: async (call) => {
        if (slow?.(call) === true) await new Promise<void>((resolve) => clock.after(slowMs, resolve));
        return road.call(tamper?.({ cluster: name, call, fleet: this }) ?? call);
      },
    };
  }

  #served(): PipelineNeeds["served"] {
    const served = servedTemplates(this.controlPlane.server.core.registry);
    const { hides } = this.#sabotage;
    if (hides === undefined) return served;
    return { ...served, resources: () => served.resources().filter((each) => !hides(each, this)) };
  }

  #connector(): MemberConnector {
    const plain = embeddedConnector((name) => this.members.find((member) => member.name === name));
    return {
      connect: async (cluster) => {
        const { name } = cluster.metadata;
        const connection = await plain.connect(cluster);
        const member = this.members.find((each) => each.name === name)!;
        const transport = this.#road(member);
        return {
          ...connection,
          client: createClient({ transport, user: systemUser, manager: memberManager }),
          health: async () => (this.down.has(name) ? "unreachable" : "ok"),
          resources: (signal) =>
            this.down.has(name) ? Promise.reject(new Error(`cannot reach ${name}`)) : connection.resources(signal),
        };
      },
    };
  }
}

/** Notes what no weather makes: an object that was not to be changed, a member of nothing, a division by nothing. */
function bugLogger(bugs: Set<string>): Logger {
  const logger: Logger = {
    ...silentLogger,
    error: (_, { error } = {}) => {
      if (error instanceof TypeError || error instanceof RangeError) bugs.add(String(error));
    },
    child: () => logger,
  };
  return logger;
}

async function openCluster(
  name: string,
  needs: LaunchNeeds & Pick<RoughOptions, "settled">,
  parts: AsyncDisposable[],
): Promise<EmbeddedCluster> {
  const { clock, random, settled } = needs;
  const isControlPlane = name === "flotilla";
  const gates = () => needs.pipeline?.gates ?? defaultPipelineOptions.gates;
  const { builtin, pki } = await slowParts();
  const cluster = await EmbeddedCluster.open({
    name,
    directory: undefined,
    pki,
    host: "127.0.0.1",
    port: 0,
    builtin,
    clock,
    random,
    log: silentLogger,
    ...(settled && { settled }),
    ...(isControlPlane && {
      admission: (each) => [karmadaAdmission({ ...storedFacts(each), clock, random, gates, ...admissionDefaults })],
    }),
  });
  parts.push(cluster);
  const client = createClient({ transport: cluster.server, user: systemUser, manager: "flotilla" });
  await bootstrapCluster(client, isControlPlane ? ["karmada-cluster", "karmada-system"] : []);
  if (isControlPlane) await installOurKinds(client);
  parts.push(runHousekeeping(cluster, { client, clock, log: silentLogger }));
  return cluster;
}

function simulate({ name, server }: EmbeddedCluster, { clock }: LaunchNeeds, parts: AsyncDisposable[]) {
  const stopping = new AbortController();
  parts.push({ [Symbol.asyncDispose]: async () => stopping.abort() });
  return startSimulator({
    member: name,
    client: createClient({ transport: server, user: systemUser, manager: "flotilla-simulator" }),
    clock,
    log: silentLogger,
    signal: stopping.signal,
    options: defaultSimulatorOptions,
  });
}
