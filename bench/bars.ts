import type { BenchRow } from "./bench-row.ts";
import { fillElsewhere, reopenElsewhere } from "./elsewhere.ts";
import type { Filled } from "./fill.ts";
import { inScratchFolder, memberNames } from "./open-fleet.ts";

const members = memberNames(3);
/** A machine that is shared is not equally fast from minute to minute. */
const runs = 7;

/** What is promised of a fleet in one process, each in a process of its own: from creation to the last report, a restart, and rest. */
export async function barBenchmarks(): Promise<readonly BenchRow[]> {
  const thousand: Filled[] = [];
  for (let run = 0; run < runs; run++) thousand.push(await filled(1_000));
  const tenThousand = await filled(10_000);
  return [arrival(1_000, thousand), arrival(10_000, [tenThousand]), ...(await restart(30_000))];
}

function filled(templates: number): Promise<Filled> {
  return inScratchFolder(async (directory) => tell(templates, fillElsewhere({ directory, members }, templates)));
}

function tell(templates: number, found: Filled): Filled {
  console.error(`${sizeOf(templates)}: ${found.seconds.toFixed(2)} s`);
  return found;
}

function sizeOf(templates: number): string {
  return `${templates.toLocaleString("en")} Deployments, ${members.length} members`;
}

function arrival(templates: number, found: readonly Filled[]): BenchRow {
  const middle = found.toSorted((one, other) => one.seconds - other.seconds)[Math.floor(found.length / 2)]!; // there is one
  const all = found.map(({ seconds }) => seconds.toFixed(2)).join(", ");
  const cost = `${middle.cpuSeconds.toFixed(1)} CPU s, RSS at most ${middle.peakMegabytes} MB`;
  return {
    name: `${sizeOf(templates)}: created, claimed, running and aggregated`,
    value: middle.seconds,
    unit: "s",
    note: `all runs, each in a new process: ${all}; ${cost}`,
    figures: { "s in the slowest run": Math.max(...found.map(({ seconds }) => seconds)) },
  };
}

/** A fleet that another process has left goes on, and then rests. */
function restart(templates: number): Promise<readonly BenchRow[]> {
  return inScratchFolder(async (directory) => {
    const fleet = { directory, members };
    const before = tell(templates, fillElsewhere(fleet, templates));
    const after = reopenElsewhere(fleet);
    const membersReady = `the simulated members after ${after.membersSeconds.toFixed(1)} s`;
    return [
      arrival(templates, [before]),
      {
        name: `${sizeOf(templates)}: restart until ready`,
        value: after.readySeconds,
        unit: "s",
        note: `${after.revision - before.revision} writes, ${after.readyCpuSeconds.toFixed(1)} CPU s, ${membersReady}, RSS at most ${after.peakMegabytes} MB`,
        figures: { writes: after.revision - before.revision },
      },
      {
        name: `${sizeOf(templates)}: at rest`,
        value: after.idleCpuPercent,
        unit: "% of a core",
      },
    ];
  });
}
