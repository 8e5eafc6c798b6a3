import { cpuUsage, resourceUsage } from "node:process";
import { boundHeapGrowth } from "#app/heap-growth.ts";
import { systemClock } from "#app/system.ts";
import { clustersReady, settled, totalRevision, until } from "./fleet-state.ts";
import { openFleet } from "./open-fleet.ts";
import { untilAnswering } from "./until-answering.ts";

/** What a restart took, as the process that was started for it prints it. */
export interface Reopened {
  /** From the start of the process until the control plane says that it is ready. */
  readonly readySeconds: number;
  readonly readyCpuSeconds: number;
  /** The same until the simulated members have read back what they had, too. */
  readonly membersSeconds: number;
  /** All writes there have ever been, when nothing happened any more. */
  readonly revision: number;
  /** Of one core, when nothing happened any more. */
  readonly idleCpuPercent: number;
  readonly peakMegabytes: number;
}

const idleMs = 20_000;

/** A process of its own goes on with the fleet that another has left: `node reopen.js DIRECTORY MEMBERS`. */
async function reopen(directory: string, members: readonly string[]): Promise<Reopened> {
  const opening = openFleet({ members, directory });
  await Promise.race([opening, untilAnswering(directory)]);
  const readySeconds = performance.now() / 1_000;
  const readyCpuSeconds = cpuSeconds();
  const fleet = await opening;
  boundHeapGrowth(systemClock); // as the program does
  await until(() => clustersReady(fleet, members.length));
  const membersSeconds = performance.now() / 1_000;
  await settled(fleet);
  // everything is looked through once; where much else runs, a single second may be quiet by chance
  for (let quiet = 0; quiet < 5; ) quiet = (await cpuPercentOver(1_000)) < 10 ? quiet + 1 : 0;
  const idleCpuPercent = await cpuPercentOver(idleMs);
  const revision = totalRevision(fleet);
  await fleet[Symbol.asyncDispose]();
  const peakMegabytes = Math.round(resourceUsage().maxRSS / 2 ** 10);
  return { readySeconds, readyCpuSeconds, membersSeconds, revision, idleCpuPercent, peakMegabytes };
}

function cpuSeconds(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

async function cpuPercentOver(ms: number): Promise<number> {
  const before = cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, ms));
  return ((cpuSeconds() - before) * 100_000) / ms;
}

const [directory = "", members = ""] = process.argv.slice(2);
console.log(JSON.stringify(await reopen(directory, members.split(","))));
process.exit(0);
