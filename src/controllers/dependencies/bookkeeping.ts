import type { Clock } from "#base/clock.ts";
import { Patience } from "#controllers/patience.ts";
import { UntilCalm } from "#controllers/until-calm.ts";
import type { Watch } from "#runtime/controller.ts";
import type { Urgency } from "./decide-attached-binding.ts";

export interface BookkeepingNeeds {
  readonly clock: Clock;
  /** Whether there is more to do than can be done at once. */
  readonly isBusy: () => boolean;
}

export interface Entry {
  readonly urgency: Exclude<Urgency, "now">;
  /** How many need the thing. */
  readonly referrers: number;
}

/** How long until somebody looks whether there is less to do, for all that wait. */
const lookMs = 100;
/** So many are written down by one look: each is a list of up to thousands. */
const mostAtOnce = 64;
/** However much there is to do, who needs what is written down then. */
const latestMs = 60_000;

/**
 * How long a change waits that only says who needs what is there anyway: a second, and longer where so many refer to it that writing all of them
 * down takes 20 or 30 ms. It must not be written for each of them, and not every second in each of many namespaces either.
 */
function briefMs(referrers: number): number {
  return Math.max(1_000, 5 * referrers);
}

/** When it is written down who needs what is there anyway: the lists are long, and one write for many that come is enough. */
export class Bookkeeping {
  readonly #patience: Patience;
  readonly #calm: UntilCalm;

  constructor(needs: BookkeepingNeeds) {
    this.#patience = new Patience(needs.clock);
    this.#calm = new UntilCalm({ ...needs, lookMs, atOnce: mostAtOnce });
  }

  /** Brings back what waited until there is less to do. */
  get watch(): Watch {
    return this.#calm.watch;
  }

  /** How long a key waits yet, unless the watch brings it before; 0: no longer. What only comes to be listed does not matter while there is much to do. */
  leftMs(key: string, { urgency, referrers }: Entry): number {
    const leftMs = Math.max(0, this.#patience.leftMs(key, briefMs(referrers)));
    if (leftMs > 0 || urgency === "soon") return leftMs;
    const untilLatestMs = Math.max(0, this.#patience.leftMs(key, latestMs));
    const isLate = untilLatestMs > 0 && !this.#calm.isDue(key) && this.#calm.isBusy();
    return isLate && this.#calm.wait(key) ? untilLatestMs : 0;
  }

  /** It is written down, or there is nothing to be. */
  end(key: string): void {
    this.#patience.end(key);
    this.#calm.forget(key);
  }
}
