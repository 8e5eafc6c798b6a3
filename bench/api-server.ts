import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { bootstrapCluster } from "#app/bootstrap.ts";
import { loadBuiltinKinds } from "#app/builtin-kinds.ts";
import { createPki } from "#app/certificates.ts";
import { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { createClient } from "#client/client.ts";
import type { BenchRow } from "./bench-row.ts";
import { sampleDeployment } from "./sample-deployment.ts";

const user = { name: "bench", groups: ["system:masters"] };
const deployments = { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", namespaced: true };
const listed = 10_000;
const watchers = 1_000;

/** Figures of a whole API server on disk: decode, default, validate, track fields, store durably, answer. */
export async function apiServerBenchmarks(): Promise<readonly BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-bench-"));
  const pki = await createPki({ cluster: "bench", nowMs: Date.now() });
  const cluster = await EmbeddedCluster.open({
    name: "bench",
    directory,
    pki,
    host: "127.0.0.1",
    port: 0,
    builtin: loadBuiltinKinds(),
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
  });
  try {
    await bootstrapCluster(createClient({ transport: cluster.server, user, manager: "bench" }), ["shop"]);
    await cluster.listen();
    return [
      await inProcessRate(cluster, { clients: 1, seconds: 2 }),
      await inProcessRate(cluster, { clients: 32, seconds: 3 }),
      await httpsRate(cluster, { clients: 1, seconds: 2 }),
      await httpsRate(cluster, { clients: 32, seconds: 4 }),
      await listRate(cluster),
      await fanOut(cluster),
      await httpsFanOut(cluster),
    ];
  } finally {
    await cluster[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Load {
  readonly clients: number;
  readonly seconds: number;
}

function newDeployment(name: string) {
  const { metadata: _, status: __, ...rest } = sampleDeployment(name, 1);
  const labels = { "app.kubernetes.io/name": name };
  return { ...rest, apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace: "shop", labels } };
}

async function inProcessRate(cluster: EmbeddedCluster, { clients, seconds }: Load): Promise<BenchRow> {
  const client = createClient({ transport: cluster.server, user, manager: "bench" });
  const latencies: number[] = [];
  const started = performance.now();
  const work = async (id: number) => {
    for (let count = 0; performance.now() - started < seconds * 1_000; count++) {
      const before = performance.now();
      await client.create(deployments, newDeployment(`in-${clients}-${id}-${count}`));
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, id) => work(id)));
  return rate(`in-process API creates, ${clients} clients`, { latencies, elapsedMs: performance.now() - started });
}

function httpsRate(cluster: EmbeddedCluster, { clients, seconds }: Load): Promise<BenchRow> {
  const { pki, url } = cluster;
  const workerData = {
    url,
    ca: pki.ca.certificate,
    cert: pki.admin.certificate,
    key: pki.admin.privateKey,
    clients,
    seconds,
    path: "/apis/apps/v1/namespaces/shop/deployments",
    body: JSON.stringify(newDeployment("NAME")),
  };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("../bench/http-worker.mjs", import.meta.url), { workerData });
    worker.once("error", reject);
    worker.once("message", (message: { latencies: number[]; elapsedMs: number }) =>
      resolve(rate(`HTTPS creates, ${clients} clients`, message)),
    );
  });
}

async function listRate(cluster: EmbeddedCluster): Promise<BenchRow> {
  const { pki, url } = cluster;
  const path = `${url}/apis/apps/v1/namespaces/shop/deployments?limit=${listed}`;
  const started = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    get(path, { ca: pki.ca.certificate, cert: pki.admin.certificate, key: pki.admin.privateKey }, (response) => {
      let total = 0;
      response.on("data", (chunk: Buffer) => {
        total += chunk.length;
      });
      response.on("end", () => resolve(total));
      response.on("error", reject);
    }).on("error", reject);
  });
  const note = `${(bytes / 2 ** 20).toFixed(0)} MiB, client in the same process`;
  return { name: `HTTPS list of ${listed} Deployments`, value: performance.now() - started, unit: "ms", note };
}

async function fanOut(cluster: EmbeddedCluster): Promise<BenchRow> {
  const client = createClient({ transport: cluster.server, user, manager: "bench" });
  let seen = 0;
  let done: (() => void) | undefined;
  const stops = await Promise.all(
    Array.from({ length: watchers }, async () => {
      const source = await client.watch(deployments, {
        namespace: "shop",
        resourceVersion: String(cluster.server.core.store.revision),
      });
      return source.start({
        event: () => {
          if (++seen === watchers) done?.();
        },
        end: () => {},
      });
    }),
  );
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const started = performance.now();
  await client.create(deployments, newDeployment("fanned-out"));
  await all;
  const value = performance.now() - started;
  for (const stop of stops) stop();
  return { name: `one durable create seen by ${watchers} API watchers`, value, unit: "ms", note: "in process" };
}

async function httpsFanOut(cluster: EmbeddedCluster): Promise<BenchRow> {
  const { pki, url, server } = cluster;
  const path = `/apis/apps/v1/namespaces/shop/deployments?watch=true&resourceVersion=${server.core.store.revision}`;
  const workerData = {
    url,
    ca: pki.ca.certificate,
    cert: pki.admin.certificate,
    key: pki.admin.privateKey,
    watchers,
    path,
  };
  const worker = new Worker(new URL("../bench/watch-worker.mjs", import.meta.url), { workerData });
  const said = (word: string) =>
    new Promise<void>((resolve, reject) => {
      worker.once("error", reject);
      worker.on("message", (message: string) => message === word && resolve());
    });
  const seen = said("seen");
  await said("open");
  const client = createClient({ transport: server, user, manager: "bench" });
  const started = performance.now();
  await client.create(deployments, newDeployment("fanned-out-https"));
  await seen;
  const value = performance.now() - started;
  await worker.terminate();
  return {
    name: `one durable create seen by ${watchers} HTTPS watchers`,
    value,
    unit: "ms",
    note: "HTTP/2, 250 streams a connection",
  };
}

function rate(name: string, { latencies, elapsedMs }: { latencies: number[]; elapsedMs: number }): BenchRow {
  const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0;
  const note = `P99 ${p99.toFixed(1)} ms`;
  return { name, value: (latencies.length / elapsedMs) * 1_000, unit: "1/s", note };
}
