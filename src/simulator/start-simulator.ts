import { setMaxListeners } from "node:events";
import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import { type RunningController, runController } from "#runtime/run-controller.ts";
import { type Caches, createCaches } from "./caches.ts";
import { FaultBoard } from "./fault-board.ts";
import { memberResources } from "./member-resources.ts";
import { newNode } from "./nodes/decide-node.ts";
import { NodeUsage } from "./nodes/node-usage.ts";
import { AddressPool } from "./pods/address-pool.ts";
import { type StartController, startersFor } from "./simulated-controllers.ts";
import type { SimulatorOptions } from "./simulator-options.ts";
import type { SimulatorParts } from "./simulator-parts.ts";

export interface SimulatorNeeds {
  /** The member's name: its nodes are called after it. */
  readonly member: string;
  /** In process: what it has written is in the caches when the write returns, which spares the bookkeeping of expectations. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly options: SimulatorOptions;
  /** Who writes down what the controllers of workloads did; without it, nobody. */
  readonly recorderOf?: (component: string) => EventRecorder;
}

/** A member's workloads, coming alive until the signal aborts. */
export interface RunningSimulator {
  /** Faults that can be set and cleared at any time. */
  readonly faults: FaultBoard;
  /** Resolves when everything that was there at the start has been seen and the controllers work. */
  readonly ready: Promise<void>;
  /** Resolves when no controller has anything to do now; what waits for time to pass does not count. */
  whenIdle(): Promise<void>;
}

const zones = ["zone-a", "zone-b", "zone-c"];

/**
 * Makes the workloads of a member healthy as a real cluster would: nodes, a scheduler, kubelets and the controllers of
 * Kubernetes' own kinds, over the member's API only.
 */
export function startSimulator(needs: SimulatorNeeds): RunningSimulator {
  const faults = new FaultBoard(needs.options.faults);
  const signal = ownSignal(needs.signal);
  const running: RunningController[] = [];
  const ready = start({ ...needs, signal }, faults).then((started) => {
    running.push(...started);
  });
  return {
    faults,
    ready,
    async whenIdle() {
      await ready;
      for (;;) {
        await Promise.all(running.map(({ queue }) => queue.whenIdle()));
        if (running.every(({ queue }) => queue.size === 0 && queue.active === 0)) return;
      }
    },
  };
}

/** Every cache and controller listens to it: many listeners are no leak here. */
function ownSignal(outer: AbortSignal): AbortSignal {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  if (outer.aborted) own.abort();
  outer.addEventListener("abort", () => own.abort(), { once: true });
  return own.signal;
}

async function start(needs: SimulatorNeeds, faults: FaultBoard): Promise<readonly RunningController[]> {
  const { client, clock, signal, options } = needs;
  const log = needs.log.child({ part: "simulator" });
  const caches = createCaches({ client, clock, log });
  const used = Object.values(caches);
  for (const cache of used) cache.start(signal);
  await Promise.all(used.map((cache) => cache.whenSynced()));
  if (signal.aborted) return [];
  const parts: SimulatorParts = {
    client,
    clock,
    options,
    caches,
    faults,
    usage: new NodeUsage(caches.pods, signal),
    addresses: new AddressPool(caches.pods, signal),
    recorderOf: needs.recorderOf ?? (() => ({ record: () => {} })),
  };
  await createNodes(needs, caches);
  const run: StartController = (controller) => runController(controller, { clock, log, signal, workers: 32 });
  return startersFor(options.pods).map((starter) => starter(parts, run));
}

/** The nodes a member starts with; one that was deleted comes back at the next start, as a machine would. */
async function createNodes({ member, client, options, signal }: SimulatorNeeds, { nodes }: Caches): Promise<void> {
  for (let number = 1; number <= options.nodes.count && !signal.aborted; number++) {
    const name = `${member}-node-${number}`;
    if (nodes.get({ name }) !== undefined) continue;
    try {
      await client.create(memberResources.nodes, newNode(name, zones[(number - 1) % zones.length]!));
    } catch (error: unknown) {
      if (!(error instanceof StatusError && error.reason === "AlreadyExists")) throw error;
    }
  }
}
