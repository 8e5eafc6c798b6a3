import type { Clock } from "#base/clock.ts";

/** How long keys may wait for something that is likely to come; the first look at a key starts its time. */
export class Patience {
  readonly #clock: Clock;
  readonly #since = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long the key may wait yet, of so long in all; 0 or less: no longer. */
  leftMs(key: string, longestMs: number): number {
    const nowMs = this.#clock.nowMs();
    const sinceMs = this.#since.get(key) ?? nowMs;
    this.#since.set(key, sinceMs);
    return sinceMs + longestMs - nowMs;
  }

  /** What was waited for has come, or nobody waits for it any more. */
  end(key: string): void {
    this.#since.delete(key);
  }
}
