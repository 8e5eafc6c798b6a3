import type { Clock } from "#base/clock.ts";

/** How long turns may follow each other without a pause. */
const turnsMs = 10;

/**
 * Turns that wait for nothing follow each other without a pause, and while they do nothing else happens in the process: no answer
 * is sent, no commit is seen. Whoever takes turns therefore asks before each whether it is time for a pause, which ends when all else has had
 * its turn. Those who share a breath share the time: after a pause they go on one after the other, first those who have waited the longest.
 */
export class Breath {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  /** When the first turn since the last pause began; undefined: there was none. */
  #sinceMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What to wait for before the next turn, if anything. */
  due(): Promise<void> | undefined {
    if (this.#sinceMs === undefined) this.#begin();
    if (this.#waiting.length === 0 && !this.#isLong()) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #begin(): void {
    const pause = this.#clock.pause?.();
    if (pause === undefined) return;
    this.#sinceMs = this.#clock.elapsedMs();
    void pause.then(() => this.#goOn());
  }

  /** Everything else has had its turn. */
  async #goOn(): Promise<void> {
    this.#sinceMs = undefined;
    if (this.#waiting.length === 0) return;
    this.#begin();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      next();
      await undefined; // it has gone on as far as it could by itself
      if (this.#isLong()) return;
    }
  }

  #isLong(): boolean {
    return this.#sinceMs !== undefined && this.#clock.elapsedMs() - this.#sinceMs >= turnsMs;
  }
}
