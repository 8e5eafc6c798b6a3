import type { Clock } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Caches } from "./caches.ts";
import type { FaultBoard } from "./fault-board.ts";
import type { NodeUsage } from "./nodes/node-usage.ts";
import type { AddressPool } from "./pods/address-pool.ts";
import type { SimulatorOptions } from "./simulator-options.ts";

/** What the controllers of one simulated member share. */
export interface SimulatorParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly options: SimulatorOptions;
  readonly caches: Caches;
  readonly faults: FaultBoard;
  readonly usage: NodeUsage;
  readonly addresses: AddressPool;
  /** Tells users what a controller did, under the name of the one that it plays. */
  readonly recorderOf: (component: string) => EventRecorder;
}
