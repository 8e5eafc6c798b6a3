import type { BenchRow } from "./bench-row.ts";
import { fillElsewhere, reopenElsewhere } from "./elsewhere.ts";
import { inScratchFolder, memberNames } from "./open-fleet.ts";

const templates = Number(process.env["FLOTILLA_BENCH_TEMPLATES"] ?? 100_000);
const memberCount = Number(process.env["FLOTILLA_BENCH_MEMBERS"] ?? 10);
/** What 6 GB leave to the heap; Node would take 4 GB at most by itself. */
const heapMegabytes = 5_600;

/** How much memory a very large fleet takes, while it is filled and after a restart. */
export function holdBenchmarks(): Promise<readonly BenchRow[]> {
  return inScratchFolder(async (directory) => {
    const fleet = { directory, members: memberNames(memberCount), heapMegabytes };
    const size = `${templates.toLocaleString("en")} Deployments, ${memberCount} members`;
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
