import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import { type RunningFleet, startFleet } from "#app/control-plane.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import type { Clock } from "#base/clock.ts";
import { silentLogger } from "#base/logger.ts";
import type { SimulatorOptions } from "#simulator/simulator-options.ts";
import { premade } from "./slow-parts.ts";

export interface TestFleet extends AsyncDisposable {
  readonly fleet: RunningFleet;
  readonly kubeconfig: string;
  readonly directory: string;
}

/** A real control plane with members on free ports, in memory, gone when the test is over. */
export async function startTestFleet(
  options: {
    readonly members?: readonly string[];
    readonly memory?: boolean;
    readonly directory?: string;
    readonly simulator?: Partial<SimulatorOptions>;
    readonly gates?: Partial<FeatureGates>;
    readonly clock?: Clock;
  } = {},
): Promise<TestFleet> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "flotilla-fleet-"));
  const fleet = await startFleet({
    members: options.members ?? [],
    directory,
    port: 0,
    memory: options.memory ?? true,
    ...(options.simulator === undefined ? {} : { simulator: options.simulator }),
    ...(options.gates === undefined ? {} : { pipeline: { gates: gatesWith(options.gates) } }),
    clock: options.clock ?? systemClock,
    random: systemRandom,
    log: silentLogger,
    premade: premade(),
  });
  return {
    fleet,
    kubeconfig: fleet.kubeconfig,
    directory,
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}
