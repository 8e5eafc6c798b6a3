import type { ApiTransport } from "#api/meta/api-call.ts";
import { runHousekeeping } from "#app/cluster-housekeeping.ts";
import { silentLogger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import type { HousekeepingDelays } from "#housekeeping/housekeeping-needs.ts";
import { openTestCluster, type TestCluster } from "./cluster.ts";
import { settle } from "./virtual-clock.ts";

/** A test cluster whose housekeeping runs. */
export interface KeptCluster extends TestCluster {
  /** The store's revision: it stands still while nobody writes. */
  revision(): number;
  /** Stops the housekeeping; the cluster goes on. */
  rest(): Promise<void>;
  /** Starts the housekeeping again, as a restart would, and lets it settle. */
  resume(): Promise<void>;
}

export interface KeptClusterOptions {
  readonly delays?: Partial<HousekeepingDelays>;
  /** How the housekeeping reaches the server; directly when absent. */
  readonly connect?: (server: ApiTransport) => Client;
}

/** Opens a cluster and lets its housekeeping settle. */
export async function openKeptCluster({ delays, connect }: KeptClusterOptions = {}): Promise<KeptCluster> {
  const world = await openTestCluster();
  const { cluster, clock, client } = world;
  let housekeeping: AsyncDisposable | undefined;
  const rest = async () => {
    await housekeeping?.[Symbol.asyncDispose]();
    housekeeping = undefined;
  };
  const resume = async () => {
    const options = { client: connect?.(cluster.server) ?? client, clock, log: silentLogger };
    housekeeping = runHousekeeping(cluster, delays === undefined ? options : { ...options, delays });
    await settle();
  };
  await resume();
  return {
    ...world,
    revision: () => cluster.server.core.store.revision,
    rest,
    resume,
    async [Symbol.asyncDispose]() {
      await rest();
      await world[Symbol.asyncDispose]();
    },
  };
}
