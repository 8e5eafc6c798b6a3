import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatesWith } from "#api/feature-gates.ts";
import { type RunningFleet, startFleet, type UpOptions } from "#app/control-plane.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { type Client, createClient } from "#client/client.ts";
import { noDelays } from "#simulator/simulator-options.ts";

/** As whom the benchmarks ask. */
export const benchUser = { name: "bench", groups: ["system:masters"] };

/**
 * A fleet as `flotilla up` starts it, on disk and silent, with every gate that a scenario needs. Workloads become healthy at once and have
 * no pods of their own: what is measured is the control plane, and thousands of Deployments would not fit on the nodes of a simulated member.
 */
export function openFleet(
  options: Pick<UpOptions, "members" | "directory"> & Partial<UpOptions>,
): Promise<RunningFleet> {
  return startFleet({
    port: 0,
    memory: false,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    simulator: { pods: "counted", pace: noDelays },
    pipeline: { gates: gatesWith({ PropagationPolicyPreemption: true }) },
    ...options,
  });
}

/** So many names of members. */
export function memberNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `m${index + 1}`);
}

/** The control plane of a fleet in this process, as the benchmarks ask it. */
export function clientOf({ controlPlane }: RunningFleet): Client {
  return createClient({ transport: controlPlane.server, user: benchUser, manager: "bench" });
}

/** Lends a folder of its own for as long as the work takes. */
export async function inScratchFolder<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-bench-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
