import type { BenchRow } from "../bench-row.ts";
import type { BenchFlags } from "../flags.ts";
import { inScratchFolder } from "../open-fleet.ts";
import { EmbeddedFleet } from "./embedded-fleet.ts";
import { openMeasuredFleet } from "./measured-fleet.ts";
import { runScenarios } from "./run-scenarios.ts";

/** What `flotilla up` starts, in a process of its own, measured from outside. */
export function embeddedBenchmarks(flags: BenchFlags): Promise<readonly BenchRow[]> {
  const { members, profile, templates, scenarios, requests } = flags;
  return inScratchFolder(async (directory) => {
    await using embedded = await EmbeddedFleet.start({ directory, members, profile });
    const { kubeconfig, surroundings } = embedded;
    using fleet = await openMeasuredFleet(
      {
        controlPlane: { kubeconfig, context: "flotilla" },
        members: members.map((context) => ({ kubeconfig, context })),
      },
      surroundings,
    );
    const label = `embedded, ${members.length} members`;
    return await runScenarios(fleet, { templates, wanted: scenarios, label, profile, requests });
  });
}

/**
 * Any control plane that speaks Karmada's API: `--kubeconfig F --context C --members a,b` (names of joined clusters that are contexts
 * of the same file, too), `--pids 1,2` for processes on this machine whose time and memory count.
 */
export async function outsideBenchmarks(flags: BenchFlags): Promise<readonly BenchRow[]> {
  const { kubeconfig, context, members, pids, templates, scenarios, running: runsWorkloads } = flags;
  if (kubeconfig === undefined)
    throw new Error("cannot measure from outside: say where, as in --kubeconfig F --context C --members a,b,c");
  using fleet = await openMeasuredFleet(
    {
      controlPlane: { kubeconfig, ...(context === undefined ? {} : { context }) },
      members: members.map((each) => ({ kubeconfig, context: each, name: each })),
    },
    { pids: () => pids, runsWorkloads },
  );
  const label = `${context ?? "outside"}, ${members.length} members`;
  return await runScenarios(fleet, { templates, wanted: scenarios, label, profile: undefined });
}
