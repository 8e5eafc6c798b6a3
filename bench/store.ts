import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type JsonObject, stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { openSqliteStore } from "#storage/sqlite-store.ts";
import type { Store } from "#storage/store.ts";
import type { BenchRow } from "./bench-row.ts";
import { sampleDeployment } from "./sample-deployment.ts";

const prefix = "apps/deployments/";
const objects = 100_000;

/**
 * Figures of the durable store, in process. Alone, after a build:
 *
 *   npx esbuild bench/store.ts --bundle --platform=node --format=esm --packages=external --outfile=dist/bench-store.js
 *   node -e 'import("./dist/bench-store.js").then((bench) => bench.storeBenchmarks()).then(console.table)'
 *
 * Takes about 20 s and 400 MB of disk in the system's temporary directory. */
export async function storeBenchmarks(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  await inDirectory(async (directory) => {
    rows.push(await createRate(directory, { clients: 1, seconds: 2 }));
    rows.push(await createRate(directory, { clients: 32, seconds: 3 }));
    rows.push(await createRate(directory, { clients: 256, seconds: 3 }));
  });
  await inDirectory(async (directory) => {
    await fill(directory);
    rows.push(...(await startUp(directory)));
    rows.push(...(await readRates(directory)));
  });
  return rows;
}

async function createRate(directory: string, { clients, seconds }: { clients: number; seconds: number }) {
  const store = await open(directory);
  const latencies: number[] = [];
  const start = performance.now();
  const client = async (id: number) => {
    for (let count = 0; performance.now() - start < seconds * 1000; count++) {
      const name = `web-${clients}-${id}-${count}`;
      const before = performance.now();
      const result = await store.create(`${prefix}shop/${name}`, (revision) => sampleDeployment(name, revision));
      if (!result.ok) throw new Error(`cannot create ${name}: ${result.why}`);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, id) => client(id)));
  const elapsed = performance.now() - start;
  await store[Symbol.asyncDispose]();
  const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0;
  const note = `P99 ${p99.toFixed(1)} ms`;
  return row(`durable creates of 2 KiB, ${clients} clients`, (latencies.length / elapsed) * 1000, {
    unit: "1/s",
    note,
  });
}

async function fill(directory: string): Promise<void> {
  const store = await open(directory);
  for (let start = 0; start < objects; start += 1000) {
    const names = Array.from({ length: 1000 }, (_, index) => `web-${start + index}`);
    const create = (name: string, index: number) =>
      store.create(`${prefix}ns-${index % 10}/${name}`, (revision) => sampleDeployment(name, revision));
    await Promise.all(names.map(create));
  }
  await store.compact(store.revision);
  await store[Symbol.asyncDispose]();
}

async function startUp(directory: string): Promise<readonly BenchRow[]> {
  const heapBefore = usedHeap();
  const start = performance.now();
  const store = await open(directory);
  const elapsed = performance.now() - start;
  const heap = usedHeap() - heapBefore;
  const { size } = statSync(join(directory, "store.db"));
  await store[Symbol.asyncDispose]();
  return [
    row(`start-up with ${objects} objects`, elapsed / 1000, { unit: "s" }),
    row("heap per Deployment of 2 KiB, parsed", heap / objects / 1024, { unit: "KiB" }),
    row("disk per Deployment of 2 KiB", size / objects / 1024, { unit: "KiB" }),
  ];
}

async function readRates(directory: string): Promise<readonly BenchRow[]> {
  const store = await open(directory);
  const list = time(() => store.list({ prefix: `${prefix}ns-3/` }), 20);
  const page = time(() => store.list({ prefix, limit: 500, after: `${prefix}ns-5/` }), 200);
  const fanOut = await fanOutTime(store);
  await store[Symbol.asyncDispose]();
  return [
    row("list of 10,000 of 100,000 (one namespace)", list, { unit: "ms" }),
    row("page of 500 of 100,000", page, { unit: "ms" }),
    row("one event to 1,000 watchers, beside 10,000 of other namespaces", fanOut, { unit: "ms" }),
  ];
}

async function fanOutTime(store: Store<JsonObject>): Promise<number> {
  let first = 0;
  let last = 0;
  const deliver = () => {
    last = performance.now();
    if (first === 0) first = last;
  };
  for (let count = 0; count < 1_000; count++) store.watch({ prefix, after: store.revision, deliver });
  for (let count = 0; count < 10_000; count++)
    store.watch({ prefix: `${prefix}other-${count}/`, after: store.revision, deliver });
  const times: number[] = [];
  for (let count = 0; count < 50; count++) {
    first = 0;
    await store.create(`${prefix}shop/fan-${count}`, (revision) => sampleDeployment("fan", revision));
    times.push(last - first);
  }
  return times.toSorted((a, b) => a - b)[25] ?? 0;
}

/** The median of some runs, in milliseconds; the first, which sorts and warms up, is left out. */
function time(work: () => unknown, runs: number): number {
  work();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[runs >> 1] ?? 0;
}

function open(directory: string): Promise<Store<JsonObject>> {
  // What is read back was written by encode: objects only.
  const codec = { encode: stringifyJson, decode: (text: string) => parseJson(text).value as JsonObject };
  return openSqliteStore<JsonObject>({ directory, codec });
}

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-bench-"));
  try {
    await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What is left after a full collection. */
function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage().heapUsed;
}

function row(name: string, value: number, { unit, note }: { unit: string; note?: string }): BenchRow {
  const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return note === undefined ? { name, value: rounded, unit } : { name, value: rounded, unit, note };
}
