import type { ApiTransport } from "#api/meta/api-call.ts";
import { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { silentLogger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";
import { type Client, createClient } from "#client/client.ts";
import { slowParts } from "./slow-parts.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** One API server in memory whose time stands still; nothing listens. */
export interface TestCluster extends AsyncDisposable {
  readonly cluster: EmbeddedCluster;
  readonly clock: VirtualClock;
  /** The administrator's. */
  readonly client: Client;
}

/** Opens a cluster that is empty but for the namespace `default`. */
export async function openTestCluster(): Promise<TestCluster> {
  const { builtin, pki } = await slowParts();
  const clock = new VirtualClock();
  const cluster = await EmbeddedCluster.open({
    name: "test",
    directory: undefined,
    pki,
    host: "127.0.0.1",
    port: 0,
    builtin,
    clock,
    random: countingRandom(),
    log: silentLogger,
  });
  const client = clientOf(cluster.server);
  const id = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false };
  await client.create(id, { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
  return { cluster, clock, client, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

export function clientOf(transport: ApiTransport): Client {
  return createClient({ transport, user: { name: "admin", groups: ["system:masters"] }, manager: "test" });
}

/** The same sequence in every run. */
function countingRandom(): Random {
  let count = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
    fraction: () => (count++ % 97) / 97,
  };
}
