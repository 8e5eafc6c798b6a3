import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { HealthCheck } from "#apiserver/http/health.ts";
import { loadBuiltinKinds } from "#app/builtin-kinds.ts";
import { createPki } from "#app/certificates.ts";
import { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { Readiness } from "#app/readiness.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { smallDisk } from "#test/durability/small-disk.ts";
import { startTestFleet } from "#test/world/fleet.ts";
import { http } from "#test/world/http.ts";

const stranger = { token: "none" } as const;
const cleanUp: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

describe("health over HTTPS", () => {
  test("all is well: ok, and the list of checks for whoever asks for it", async () => {
    const cluster = await listening({});
    for (const endpoint of ["healthz", "livez", "readyz"]) {
      expect(await http(cluster, `/${endpoint}`, stranger)).toMatchObject({ code: 200, text: "ok" });
      const { text } = await http(cluster, `/${endpoint}?verbose`, stranger);
      expect(text).toBe(`[+]ping ok\n[+]store ok\n${endpoint} check passed\n`);
    }
  });

  test("a store that takes no writes fails every endpoint, and strangers are not told why", async () => {
    const cluster = await listening({});
    await cluster.server.core.store[Symbol.asyncDispose]();
    for (const endpoint of ["healthz", "livez", "readyz"]) {
      const { code, text } = await http(cluster, `/${endpoint}`, stranger);
      expect([code, text]).toEqual([500, `[+]ping ok\n[-]store failed: reason withheld\n${endpoint} check failed\n`]);
    }
    expect((await http(cluster, "/livez/store", stranger)).code).toBe(401);
    expect(await http(cluster, "/livez/store")).toMatchObject({
      code: 500,
      text: "internal server error: cannot write: the store is closed\n",
    });
  });

  test("a failing check can be left out, one that is not there is named", async () => {
    const cluster = await listening({ checks: [check("cache", "ready", "not filled yet")] });
    expect((await http(cluster, "/livez", stranger)).code).toBe(200);
    expect((await http(cluster, "/readyz", stranger)).code).toBe(500);
    expect((await http(cluster, "/readyz?exclude=cache", stranger)).text).toBe("ok");
    expect((await http(cluster, "/readyz?exclude=cache&exclude=b&exclude=a&verbose", stranger)).text).toBe(
      '[+]ping ok\n[+]store ok\n[+]cache excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a", "b"\nreadyz check passed\n',
    );
  });

  test("one check at a time is answered to those who may read it", async () => {
    const cluster = await listening({ checks: [check("cache", "ready", "not filled yet")] });
    expect(await http(cluster, "/readyz/ping")).toMatchObject({ code: 200, text: "ok" });
    expect(await http(cluster, "/readyz/cache")).toMatchObject({
      code: 500,
      text: "internal server error: not filled yet\n",
    });
    expect((await http(cluster, "/livez/cache")).code, "it is no check of livez").toBe(404);
    const token = { headers: { "impersonate-user": "alice" } };
    expect((await http(cluster, "/readyz/cache", token)).code).toBe(403);
  });

  test("on a full disk health fails, and is back by itself when there is room again", async () => {
    const parent = temporaryDirectory();
    const disk = smallDisk(parent, 24 << 20);
    cleanUp.push(() => disk.remove());
    const directory = join(disk.directory, "..");
    const cluster = await listening({ directory });
    if (disk.method === "quota") return; // nothing to fill here
    const filler = join(directory, "filler");
    expect(() => writeFileSync(filler, Buffer.alloc(64 << 20, 1))).toThrow("ENOSPC");
    let code = 201;
    for (let i = 0; i < 50 && code === 201; i++) {
      const body = {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: `n${i}`, annotations: { a: "x".repeat(100_000) } },
      };
      ({ code } = await http(cluster, "/api/v1/namespaces", { method: "POST", body: JSON.stringify(body) }));
    }
    expect(code).not.toBe(201);
    const { text } = await http(cluster, "/livez/store");
    expect(text).toContain("is full: free space on its disk");
    rmSync(filler);
    expect((await http(cluster, "/livez", stranger)).text).toBe("ok");
  });
});

describe("readiness of a fleet", () => {
  test("it is ready once started, with the caches of the controllers among the checks", async () => {
    const world = await startTestFleet();
    cleanUp.push(async () => world[Symbol.asyncDispose]());
    const { text } = await http(world.fleet.controlPlane, "/readyz?verbose", stranger);
    expect(text).toBe("[+]ping ok\n[+]store ok\n[+]informer-sync ok\n[+]shutdown ok\nreadyz check passed\n");
  });

  test("it is not ready before every cache was filled once, nor after it was told to stop", async () => {
    const readiness = new Readiness();
    const cluster = await listening({ checks: readiness.checks });
    const ready = async () => (await http(cluster, "/readyz", stranger)).code === 200;
    expect(await ready()).toBe(false);
    let missing = ["works"];
    readiness.controllersStarted(() => missing);
    expect(await ready()).toBe(false);
    expect((await http(cluster, "/readyz/informer-sync")).text).toContain("not filled yet: works");
    missing = [];
    expect(await ready()).toBe(true);
    missing = ["boxes of a definition that came later"];
    expect(await ready()).toBe(true);
    readiness.stopping();
    expect(await ready()).toBe(false);
    expect((await http(cluster, "/livez", stranger)).code).toBe(200);
  });
});

function check(name: string, of: HealthCheck["of"], failure: string): HealthCheck {
  return { name, of, failure: () => failure };
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-health-"));
  cleanUp.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function listening(options: {
  readonly checks?: readonly HealthCheck[];
  readonly directory?: string;
}): Promise<EmbeddedCluster> {
  const { checks = [], directory = temporaryDirectory() } = options;
  mkdirSync(directory, { recursive: true });
  const cluster = await EmbeddedCluster.open({
    name: "health",
    directory,
    pki: await createPki({ cluster: "health", nowMs: Date.now() }),
    host: "127.0.0.1",
    port: 0,
    builtin: loadBuiltinKinds(),
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    checks,
  });
  cleanUp.push(() => cluster[Symbol.asyncDispose]());
  await cluster.listen();
  return cluster;
}
