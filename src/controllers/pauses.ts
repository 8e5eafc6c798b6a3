import type { Clock } from "#base/clock.ts";

/** Keys that are left alone for a while after they were looked at, as long as a look is dear: however much news there is, looks take a part of the time only. */
export class Pauses {
  readonly #clock: Clock;
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The key has been looked at and is left alone for so long; 0: it need not be. */
  begin(key: string, ms: number): void {
    if (ms > 0) this.#untilMs.set(key, this.#clock.nowMs() + ms);
    else this.#untilMs.delete(key);
  }

  /** How long the key is left alone yet; 0: no longer. */
  leftMs(key: string): number {
    const untilMs = this.#untilMs.get(key);
    return untilMs === undefined ? 0 : Math.max(0, untilMs - this.#clock.nowMs());
  }
}
