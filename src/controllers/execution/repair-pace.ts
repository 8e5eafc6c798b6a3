import type { Clock } from "#base/clock.ts";
import { PassingNotes } from "#base/passing-notes.ts";

/** Repairs that are made at once: somebody's slip, or a few. */
const promptRepairs = 5;
const firstWaitMs = 1_000;
const maxWaitMs = 300_000;
/** Peace for so long forgets the quarrel. */
const peaceMs = 2 * maxWaitMs;

interface Repairs {
  readonly generation: number | undefined;
  readonly count: number;
  readonly lastMs: number;
}

/**
 * How soon a work may be put right again. Somebody in the member who undoes every repair gets a slower and slower opponent
 * (SEC-19); a new state of the work is sent at once.
 */
export class RepairPace {
  readonly #clock: Clock;
  readonly #repairs: PassingNotes<Repairs>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#repairs = new PassingNotes(clock, peaceMs);
  }

  /** 0: now. */
  waitMs(name: string, generation: number | undefined): number {
    const known = this.#repairs.get(name);
    if (known === undefined || known.generation !== generation || known.count <= promptRepairs) return 0;
    const pauseMs = Math.min(firstWaitMs * 2 ** (known.count - promptRepairs - 1), maxWaitMs);
    return Math.max(0, known.lastMs + pauseMs - this.#clock.nowMs());
  }

  /** The work was sent, or sent again. */
  sent(name: string, generation: number | undefined): void {
    const nowMs = this.#clock.nowMs();
    const known = this.#repairs.get(name);
    const goesOn = known?.generation === generation && known !== undefined && nowMs - known.lastMs < peaceMs;
    this.#repairs.set(name, { generation, count: goesOn ? known.count + 1 : 0, lastMs: nowMs });
  }

  forget(name: string): void {
    this.#repairs.delete(name);
  }
}
