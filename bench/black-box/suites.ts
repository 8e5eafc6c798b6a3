import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { BenchRow } from "../bench-row.ts";
import type { BenchFlags } from "../flags.ts";
import { openMeasuredFleet } from "./measured-fleet.ts";
import { runScenarios } from "./run-scenarios.ts";

/** `flotilla up` as its users start it, measured from outside. */
export async function embeddedBenchmarks({ templates, scenarios }: BenchFlags): Promise<readonly BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-up-"));
  const members = ["m1", "m2", "m3"];
  const flags = ["up", "--data", directory, "--port", "0", "--members", members.join(",")];
  const child = spawn(process.execPath, ["dist/flotilla.js", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface({ input: child.stdout })) if (line === "ready") break;
    const kubeconfig = join(directory, "kubeconfig");
    using fleet = await openMeasuredFleet({
      controlPlane: { kubeconfig, context: "flotilla" },
      members: members.map((context) => ({ kubeconfig, context })),
      pids: [child.pid!],
    });
    return await runScenarios(fleet, { templates, wanted: scenarios, label: "flotilla up, 3 members" });
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Any control plane that speaks Karmada's API: `--kubeconfig F --context C --members a,b` (names of joined clusters that are contexts
 * of the same file, too), `--pids 1,2` for processes on this machine whose time and memory count.
 */
export async function outsideBenchmarks(flags: BenchFlags): Promise<readonly BenchRow[]> {
  const { kubeconfig, context, members, pids, templates, scenarios } = flags;
  if (kubeconfig === undefined || members.length === 0)
    throw new Error("cannot measure from outside: say where, as in --kubeconfig F --context C --members a,b,c");
  using fleet = await openMeasuredFleet({
    controlPlane: { kubeconfig, ...(context === undefined ? {} : { context }) },
    members: members.map((each) => ({ kubeconfig, context: each, name: each })),
    pids,
  });
  return await runScenarios(fleet, {
    templates,
    wanted: scenarios,
    label: `${context ?? "outside"}, ${members.length} members`,
  });
}
