import type { Fields } from "#api/meta/object-meta.ts";
import { runHousekeeping } from "#app/cluster-housekeeping.ts";
import { silentLogger } from "#base/logger.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import type { Client, NewObject } from "#client/client.ts";
import { type MemberResource, memberResources } from "#simulator/member-resources.ts";
import type { SimulatedObject } from "#simulator/simulated-object.ts";
import { defaultSimulatorOptions, noDelays, type SimulatorOptions } from "#simulator/simulator-options.ts";
import { type RunningSimulator, startSimulator } from "#simulator/start-simulator.ts";
import { openTestCluster, type TestCluster } from "./cluster.ts";

/** A member in memory whose workloads come alive under a virtual clock. */
export interface SimulatedCluster extends TestCluster {
  /** The running simulator; another one after a restart. */
  simulator(): RunningSimulator;
  /** Creates what the YAML documents say and lets it settle. */
  create(yaml: string): Promise<void>;
  /** Merges into an object and lets it settle. */
  patch(resource: MemberResource, name: string, patch: Fields): Promise<void>;
  delete(resource: MemberResource, name: string): Promise<void>;
  get(resource: MemberResource, name: string): Promise<SimulatedObject | undefined>;
  /** In the order of their names. */
  list(resource: MemberResource): Promise<readonly SimulatedObject[]>;
  /** The store's revision: it stands still while nobody writes. */
  revision(): number;
  /** How many writes the simulator has asked for, whether or not they changed anything. */
  attempts(): number;
  /** Stops the simulator and starts it anew, as a restart would. */
  restart(): Promise<void>;
}

/** Opens a member; without delays unless told otherwise. */
export async function openSimulatedCluster(options: Partial<SimulatorOptions> = {}): Promise<SimulatedCluster> {
  const world = await openTestCluster();
  const { cluster, clock, client } = world;
  let attempts = 0;
  const counting = countWrites(client, () => attempts++);
  const settings: SimulatorOptions = { ...defaultSimulatorOptions, pace: noDelays, ...options };
  const housekeeping = runHousekeeping(cluster, { client, clock, log: silentLogger });
  let stopping = new AbortController();
  let simulator: RunningSimulator;
  const start = async () => {
    stopping = new AbortController();
    simulator = startSimulator({
      member: "m",
      client: counting,
      clock,
      log: silentLogger,
      signal: stopping.signal,
      options: settings,
    });
    await simulator.ready;
    await clock.advance(0);
  };
  await start();
  return {
    ...world,
    simulator: () => simulator,
    async create(yaml) {
      for (const { value } of parseYamlDocuments(yaml)) {
        const object = value as NewObject; // what the test wrote
        const resource = Object.values(memberResources).find(({ kind }) => kind === object.kind)!;
        const namespace = resource.namespaced ? { namespace: "default" } : {};
        await client.create(resource, { ...object, metadata: { ...namespace, ...object.metadata } });
      }
      await clock.advance(0);
    },
    async patch(resource, name, patch) {
      await client.patch(memberResources[resource], keyOf(resource, name), { type: "merge", patch });
      await clock.advance(0);
    },
    async delete(resource, name) {
      await client.delete(memberResources[resource], keyOf(resource, name));
      await clock.advance(0);
    },
    async get(resource, name) {
      return (await client.get(memberResources[resource], keyOf(resource, name))) as SimulatedObject | undefined;
    },
    async list(resource) {
      return (await client.list(memberResources[resource])).items as readonly SimulatedObject[];
    },
    revision: () => cluster.server.core.store.revision,
    attempts: () => attempts,
    async restart() {
      stopping.abort();
      await clock.advance(0);
      await start();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await housekeeping[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

function countWrites(client: Client, count: () => void): Client {
  const counted = <Args extends readonly unknown[], Result>(write: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      count();
      return write(...args);
    };
  };
  return {
    ...client,
    create: counted(client.create),
    update: counted(client.update),
    updateStatus: counted(client.updateStatus),
    patch: counted(client.patch),
    delete: counted(client.delete),
    post: counted(client.post),
  };
}

function keyOf(resource: MemberResource, name: string) {
  return memberResources[resource].namespaced ? { namespace: "default", name } : { name };
}
