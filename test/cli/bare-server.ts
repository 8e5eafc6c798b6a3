import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { startCluster } from "#app/start-cluster.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { clientOf } from "#test/world/cluster.ts";
import { premade } from "#test/world/slow-parts.ts";

/** A Kubernetes API server without anything of ours in it. */
export interface BareServer extends AsyncDisposable {
  readonly cluster: EmbeddedCluster;
  readonly kubeconfig: string;
  /** The administrator's, by function call. */
  readonly client: Client;
}

/** Starts one in memory, listening, with its housekeeping. */
export async function startBareServer(name: string): Promise<BareServer> {
  const parts: AsyncDisposable[] = [];
  const directory = mkdtempSync(join(tmpdir(), "flotilla-bare-"));
  const cluster = await startCluster({
    name,
    role: "member",
    directory,
    port: 0,
    memory: true,
    builtin: premade().builtin,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    started: (part) => parts.push(part),
  });
  const kubeconfig = join(directory, "kubeconfig");
  writeFileSync(kubeconfig, renderKubeconfig([{ name, server: cluster.url, pki: cluster.pki }]));
  return {
    cluster,
    kubeconfig,
    client: clientOf(cluster.server),
    async [Symbol.asyncDispose]() {
      for (const part of parts.reverse()) await part[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
