import { silentLogger } from "#base/logger.ts";
import { silentMetrics } from "#base/metrics.ts";
import type { Controller } from "#runtime/controller.ts";
import { type RunningController, runController } from "#runtime/run-controller.ts";
import type { ForkedServer } from "./forked-server.ts";
import type { PlanClock } from "./plan-clock.ts";
import type { PlanReports } from "./plan-reports.ts";

export interface RestNeeds {
  readonly server: ForkedServer;
  readonly clock: PlanClock;
  readonly signal: AbortSignal;
  /** Resolves at once, or when others have had their turn. */
  readonly breathe: () => Promise<void> | undefined;
  readonly reports: Pick<PlanReports, "fromMembers" | "scheduled" | "served">;
  /** Told of every step before it is taken. */
  readonly onStep: (controller: string, step: unknown, facts: unknown) => void;
}

/** Keys worked on at once by each controller: answers of members may take a while. */
const workers = 8;
/** More rounds than anything needs that comes to rest. */
const maxRounds = 100;

/**
 * Who is served before whom, by the names of controllers; others come first. The running system knows no order, but there works wait a
 * moment for whoever is about to say something else of their binding, and a cluster that changes is heard of by the scheduler before it is
 * left.
 */
const order = ["detector", "scheduler", "failover", "dependencies", "attached-binding", "binding", "execution"];

/** Controllers that work on a fork until nothing is left to do, in a fixed order: nobody acts on what is about to change. */
export class ForkedRun {
  readonly #needs: RestNeeds;
  readonly #stages: RunningController[][] = [[], ...order.map(() => [])];

  constructor(needs: RestNeeds) {
    this.#needs = needs;
  }

  run<Facts, Step>(
    controller: Controller<Facts, Step>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): RunningController {
    const { breathe, onStep, clock } = this.#needs;
    const stage = order.indexOf(controller.name.split("/", 1)[0]!) + 1;
    const turn = () => this.#turnOf(stage);
    const whenDue = async (pause: Promise<void> | undefined) => {
      if (pause !== undefined) await pause;
      for (let wait = turn(); wait !== undefined; wait = turn()) await wait;
    };
    const watched: Controller<Facts, Step> = {
      ...controller,
      gather(key, stop) {
        const pause = breathe();
        return pause === undefined && turn() === undefined
          ? controller.gather(key, stop)
          : whenDue(pause).then(() => controller.gather(key, stop));
      },
      apply(step, facts, stop) {
        onStep(controller.name, step, facts);
        return controller.apply(step, facts, stop);
      },
    };
    const running = runController(watched, {
      clock,
      log: silentLogger,
      metrics: silentMetrics,
      signal: signal ?? this.#needs.signal,
      workers,
    });
    this.#stages[stage]!.push(running);
    return running;
  }

  /** Resolves when nothing is left to do, now or in the time that is looked ahead. */
  async rest(): Promise<void> {
    const { server, clock, reports } = this.#needs;
    for (let rounds = 0; rounds < maxRounds; rounds++) {
      await this.#idle();
      if (server.sweep() || reports.fromMembers()) continue;
      if (!clock.isAwaited()) return;
      if (reports.scheduled()) continue; // long before any time is up
      const before = server.revision;
      clock.passOn();
      await this.#idle();
      if (server.revision === before) return;
    }
    throw restless();
  }

  /** Resolves when everybody has told what came of it all, when that has come to rest, too, and its time is over. */
  async goOn(): Promise<void> {
    const { clock, reports } = this.#needs;
    for (let rounds = 0; reports.scheduled() || reports.served(); rounds++) {
      if (rounds === maxRounds) throw restless();
      await this.rest();
    }
    clock.goOn();
  }

  /** Resolves when somebody before this stage has done something; undefined when it is this stage's turn. */
  #turnOf(stage: number): Promise<void> | undefined {
    for (let before = 0; before < stage; before++) {
      const busy = this.#stages[before]!.find(isBusy);
      if (busy !== undefined) return busy.queue.whenIdle();
    }
    return undefined;
  }

  async #idle(): Promise<void> {
    for (;;) {
      const busy = this.#stages.flat().filter(isBusy);
      if (busy.length === 0) return;
      await Promise.all(busy.map(({ queue }) => queue.whenIdle()));
    }
  }
}

function restless(): Error {
  return new Error("cannot plan this: the system would not come to rest");
}

function isBusy({ queue }: RunningController): boolean {
  return queue.size > 0 || queue.active > 0;
}
