import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { ApiServer } from "#apiserver/api-server.ts";
import type { BenchRow } from "./bench-row.ts";
import type { BenchFlags } from "./flags.ts";
import { clustersReady, inParallel, settled, until } from "./fleet-state.ts";
import { clientOf, inScratchFolder, openFleet } from "./open-fleet.ts";
import { type CpuProfile, timeByStage } from "./profile-stages.ts";
import { ownProfiler } from "./profiler.ts";
import { createNamespace, createTemplates, healthyEverywhere, putPolicy } from "./propagation.ts";
import { type Recorded, recordWrites } from "./write-recorder.ts";

/**
 * What it takes to create Deployments under a policy until every member runs them and every template says so, beside what cannot be left
 * out of it: the same texts printed and parsed, the same bytes written in as many groups with one fsync each. And where the time goes.
 */
export async function floorBenchmarks({ templates, members }: BenchFlags): Promise<readonly BenchRow[]> {
  const label = `${templates.toLocaleString("en")} Deployments created, ${members.length} members`;
  // three times, since profiles and counters are not for free
  const { seconds, cpuSeconds } = await inFleet(members, (run) => timed(() => run(templates)));
  const { calls, recorded } = await inFleet(members, (run) => counted(() => run(templates)));
  const stages = await inFleet(members, (run, directory) => profiled(join(directory, "profile"), () => run(templates)));
  const floor = await inScratchFolder(async (directory) => measureFloor(directory, recorded));
  const roundTrip = await measureRoundTrip();
  const bytes = recorded.groups.flat().reduce((sum, text) => sum + text.length, 0);
  const rows = recorded.groups.reduce((sum, group) => sum + group.length, 0);
  const all = floor.reduce((sum, { value }) => sum + value, 0);
  const note = `${cpuSeconds.toFixed(1)} CPU s; ${rows} rows, ${(bytes / 2 ** 20).toFixed(1)} MiB, ${recorded.groups.length} commits, ${recorded.printed.times} times printed, ${recorded.parsed.length} parsed, ${calls} calls in this process`;
  const each = (name: string) => `${label}: ${name}`;
  return [
    { name: each("until all run and report"), value: seconds, unit: "s", note },
    ...floor.map((row) => ({ ...row, name: each(`floor: ${row.name}`) })),
    { name: each("floor, all of it"), value: all, unit: "s" },
    { name: each("reality over floor"), value: seconds / all, unit: "times" },
    {
      name: each("as many round trips over the network"),
      value: roundTrip * calls,
      unit: "s",
      note: `${(roundTrip * 1e6).toFixed(0)} µs each, 32 at once, HTTP without TLS to this very process: what calls by function save`,
    },
    ...stages.map((row) => ({ ...row, name: each(`stage: ${row.name}`) })),
  ];
}

type Run = (templates: number) => Promise<void>;

/** A new fleet with a policy, in which templates are created. */
function inFleet<T>(members: readonly string[], work: (run: Run, directory: string) => Promise<T>): Promise<T> {
  return inScratchFolder(async (directory) => {
    await using fleet = await openFleet({ members, directory });
    await until(() => clustersReady(fleet, members.length));
    await createNamespace(clientOf(fleet));
    await putPolicy(clientOf(fleet), members);
    await settled(fleet);
    const run = async (templates: number) => {
      await createTemplates(clientOf(fleet), templates);
      await until(() => healthyEverywhere(fleet, templates, members.length), 600_000);
    };
    const result = await work(run, directory);
    await settled(fleet);
    return result;
  });
}

async function timed(work: () => Promise<void>): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

async function counted(work: () => Promise<void>): Promise<{ readonly calls: number; readonly recorded: Recorded }> {
  let calls = 0;
  const { call } = ApiServer.prototype;
  ApiServer.prototype.call = function (this: ApiServer, asked) {
    calls++;
    return call.call(this, asked);
  };
  try {
    const recorded = await recordWrites(work);
    return { calls, recorded };
  } finally {
    ApiServer.prototype.call = call;
  }
}

async function profiled(file: string, work: () => Promise<void>): Promise<readonly BenchRow[]> {
  const profiler = ownProfiler();
  await profiler.start();
  await work();
  await profiler.stop(file);
  const stages = timeByStage(JSON.parse(readFileSync(file, "utf8")) as CpuProfile); // as V8 writes it
  const all = [...stages.values()].reduce((sum, ms) => sum + ms, 0);
  return [...stages].map(([name, ms]) => ({
    name,
    value: ms / 1_000,
    unit: "s",
    note: `${((ms * 100) / all).toFixed(1)} % of the main thread`,
  }));
}

function measureFloor(directory: string, { groups, printed, parsed }: Recorded): readonly BenchRow[] {
  const texts = groups.flat();
  const objects = texts.map((text) => JSON.parse(text) as unknown);
  const printing = stopwatch(() => {
    for (let index = 0, length = 0; length < printed.length; index++)
      length += JSON.stringify(objects[index % objects.length]).length;
  });
  const parsing = stopwatch(() => {
    for (const text of parsed) JSON.parse(text);
  });
  const writing = stopwatch(() => commitGroups(directory, groups));
  return [
    { name: `${(printed.length / 2 ** 20).toFixed(1)} MiB of JSON printed`, value: printing, unit: "s" },
    { name: `${parsed.length.toLocaleString("en")} texts parsed`, value: parsing, unit: "s" },
    {
      name: `${texts.length.toLocaleString("en")} rows written in ${groups.length} commits with fsync`,
      value: writing,
      unit: "s",
    },
  ];
}

/** Into one database, one group after the other; the fleet has one for each cluster. */
function commitGroups(directory: string, groups: Recorded["groups"]): void {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, "floor.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE records (revision INTEGER PRIMARY KEY, value TEXT) STRICT");
  const insert = database.prepare("INSERT INTO records (value) VALUES (?)");
  for (const group of groups) {
    database.exec("BEGIN IMMEDIATE");
    for (const text of group) insert.run(text);
    database.exec("COMMIT");
  }
  database.close();
}

/** Seconds for one small answer over a connection that stays open. */
async function measureRoundTrip(): Promise<number> {
  const rounds = 5_000;
  const server = createServer((_, response) => response.end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      request({ port, host: "127.0.0.1", agent }, (answer) => answer.resume().on("end", resolve))
        .on("error", reject)
        .end();
    });
  const started = performance.now();
  await inParallel(rounds, ask);
  const seconds = (performance.now() - started) / 1_000;
  agent.destroy();
  server.close();
  return seconds / rounds;
}

function stopwatch(work: () => void): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1_000;
}
