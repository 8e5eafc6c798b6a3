import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bootstrapCluster } from "#app/bootstrap.ts";
import { loadBuiltinKinds } from "#app/builtin-kinds.ts";
import { createPki } from "#app/certificates.ts";
import { runHousekeeping } from "#app/cluster-housekeeping.ts";
import { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { installOurKinds } from "#app/install-kinds.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { clientOf } from "#test/world/cluster.ts";

test("a cluster on disk that starts again and again with nothing to do writes nothing", async () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-idle-"));
  const pki = await createPki({ cluster: "idle", nowMs: Date.now() });
  const builtin = loadBuiltinKinds();
  const revisions: number[] = [];
  for (let start = 0; start < 3; start++) {
    await using cluster = await EmbeddedCluster.open({
      name: "idle",
      directory,
      pki,
      host: "127.0.0.1",
      port: 0,
      builtin,
      clock: systemClock,
      random: systemRandom,
      log: silentLogger,
    });
    const client = clientOf(cluster.server);
    await bootstrapCluster(client);
    await installOurKinds(client);
    await using housekeeping = runHousekeeping(cluster, { client, clock: systemClock, log: silentLogger });
    await housekeeping.whenIdle();
    revisions.push(cluster.server.core.store.revision);
    expect(cluster.server.core.store.count("/serviceaccounts/")).toBe(4);
  }
  expect(revisions[0]).toBeGreaterThan(0);
  expect(new Set(revisions).size).toBe(1);
  rmSync(directory, { recursive: true });
});
