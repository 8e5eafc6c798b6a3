import type { Clock } from "#base/clock.ts";
import { FencedError, type WriteFence } from "#client/write-fence.ts";

/**
 * Open until a moment that each renewal of the lease puts off. Two clocks must agree that it has not come: the one that never goes back, and the
 * time of day, which goes on while a machine sleeps.
 */
export class LeaseFence implements WriteFence {
  readonly #clock: Clock;
  #untilMs: number;
  #untilTimeMs: number;
  #closed = false;

  /** `forMs` from the moment at which the request was sent that took the lease. */
  constructor(clock: Clock, taken: Moment & { readonly forMs: number }) {
    this.#clock = clock;
    this.#untilMs = taken.elapsedMs + taken.forMs;
    this.#untilTimeMs = taken.nowMs + taken.forMs;
  }

  /** Milliseconds left; 0 once it is closed. */
  get leftMs(): number {
    if (this.#closed) return 0;
    const leftMs = Math.min(this.#untilMs - this.#clock.elapsedMs(), this.#untilTimeMs - this.#clock.nowMs());
    return Math.max(leftMs, 0);
  }

  expectOpen(): void {
    if (this.leftMs <= 0)
      throw new FencedError("cannot write: the lease of this replica is over, and another one may lead by now");
  }

  /** Puts the end off; a fence that was closed stays closed. */
  renew(sent: Moment, forMs: number): void {
    if (this.leftMs <= 0) return;
    this.#untilMs = sent.elapsedMs + forMs;
    this.#untilTimeMs = sent.nowMs + forMs;
  }

  close(): void {
    this.#closed = true;
  }
}

/** One moment by both clocks. */
export interface Moment {
  readonly elapsedMs: number;
  readonly nowMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { elapsedMs: clock.elapsedMs(), nowMs: clock.nowMs() };
}
