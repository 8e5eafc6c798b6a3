import type { BenchRow } from "./bench-row.ts";
import { fillElsewhere, reopenElsewhere } from "./elsewhere.ts";
import type { BenchFlags } from "./flags.ts";
import { inScratchFolder, memberNames } from "./open-fleet.ts";

interface Shape {
  readonly templates: number;
  readonly members: number;
}

const { FLOTILLA_BENCH_TEMPLATES: templatesAsked, FLOTILLA_BENCH_MEMBERS: membersAsked } = process.env;
/** A million copies, by many templates and by many members; or what is asked for. */
const shapes: readonly Shape[] =
  templatesAsked === undefined && membersAsked === undefined
    ? [
        { templates: 100_000, members: 10 },
        { templates: 10_000, members: 100 },
      ]
    : [{ templates: Number(templatesAsked ?? 100_000), members: Number(membersAsked ?? 10) }];
/** What 6 GB leave to the heap; Node would take 4 GB at most by itself. */
const heapMegabytes = 5_600;

/** How much memory very large fleets take, while they are filled and after a restart. */
export async function holdBenchmarks({ soFar }: Pick<BenchFlags, "soFar">): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const shape of shapes) {
    rows.push(...(await hold(shape)));
    soFar?.(rows);
  }
  return rows;
}

function hold({ templates, members }: Shape): Promise<readonly BenchRow[]> {
  return inScratchFolder(async (directory) => {
    const fleet = { directory, members: memberNames(members), heapMegabytes };
    const size = `${templates.toLocaleString("en")} Deployments, ${members} members`;
    const filled = fillElsewhere(fleet, templates);
    const { seconds } = filled;
    const alive = (filled.heapMegabytes * 2 ** 10) / templates;
    const reopened = reopenElsewhere(fleet);
    const writes = reopened.revision - filled.revision;
    return [
      {
        name: `${size}: created, claimed, running and aggregated`,
        value: seconds,
        unit: "s",
        note: `${Math.round(templates / seconds)} a second, ${Math.round(filled.cpuSeconds)} CPU s`,
      },
      {
        name: `${size}: held in`,
        value: gigabytes(filled),
        unit: "GB",
        note: `RSS at most; ${alive.toFixed(1)} KB of heap for each in the end`,
      },
      {
        name: `${size}: held after a restart in`,
        value: gigabytes(reopened),
        unit: "GB",
        note: `RSS at most; ready after ${reopened.readySeconds.toFixed(1)} s, members after ${reopened.membersSeconds.toFixed(1)} s, ${writes} writes`,
        figures: { writes },
      },
    ];
  });
}

/** Of a thousand million bytes; the processes tell mebibytes. */
function gigabytes({ peakMegabytes }: { readonly peakMegabytes: number }): number {
  return (peakMegabytes * 2 ** 20) / 1e9;
}
