import { cpuUsage, memoryUsage, resourceUsage } from "node:process";
import { boundHeapGrowth } from "#app/heap-growth.ts";
import { systemClock } from "#app/system.ts";
import { clustersReady, settled, totalRevision, until } from "./fleet-state.ts";
import { clientOf, openFleet } from "./open-fleet.ts";
import { createNamespace, createTemplates, healthyEverywhere, putPolicy } from "./propagation.ts";

/** What it took to fill a fleet, as the process that was started for it prints it. */
export interface Filled {
  /** From the first request until every copy runs and every template says so. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Of the process, at any time. */
  readonly peakMegabytes: number;
  /** What is alive in the heap at the end. */
  readonly heapMegabytes: number;
  /** All writes there have been, when nothing happened any more. */
  readonly revision: number;
}

const hoursMs = 4 * 3_600_000;
const tellMs = 60_000;

/** Creates Deployments under a policy that sends all of them to all members: `node fill.js DIRECTORY MEMBERS TEMPLATES`. */
async function fill(directory: string, members: readonly string[], templates: number): Promise<Filled> {
  const fleet = await openFleet({ members, directory });
  boundHeapGrowth(systemClock); // as the program does
  await until(() => clustersReady(fleet, members.length));
  await createNamespace(clientOf(fleet));
  await putPolicy(clientOf(fleet), members);
  await settled(fleet);
  const cpu = cpuUsage();
  const started = performance.now();
  const secondsSince = (from: number) => (performance.now() - from) / 1_000;
  const telling = setInterval(() => tell(secondsSince(started)), tellMs);
  await createTemplates(clientOf(fleet), templates);
  await until(() => healthyEverywhere(fleet, templates, members.length), hoursMs);
  const seconds = secondsSince(started);
  clearInterval(telling);
  await settled(fleet);
  const { user, system } = cpuUsage(cpu);
  const peakMegabytes = Math.round(resourceUsage().maxRSS / 2 ** 10);
  globalThis.gc?.();
  const heapMegabytes = Math.round(memoryUsage().heapUsed / 2 ** 20);
  const revision = totalRevision(fleet);
  await fleet[Symbol.asyncDispose]();
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMegabytes, heapMegabytes, revision };
}

/** It takes a quarter of an hour: somebody may be watching. */
function tell(seconds: number): void {
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20).toLocaleString("en");
  const { rss, heapUsed, heapTotal, external } = memoryUsage();
  const parts = `heap ${megabytes(heapUsed)} of ${megabytes(heapTotal)}, outside it ${megabytes(external)}`;
  console.error(`${Math.round(seconds)} s: ${megabytes(rss)} MB (${parts})`);
}

const [directory = "", members = "", templates = ""] = process.argv.slice(2);
console.log(JSON.stringify(await fill(directory, members.split(","), Number(templates))));
process.exit(0);
