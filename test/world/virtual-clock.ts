import type { Clock } from "#base/clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Time that passes only when told to. */
export class VirtualClock implements Clock {
  /** In the order in which they were set. */
  readonly #timers = new Set<Timer>();
  #nowMs: number;

  constructor(nowMs: number = Date.UTC(2030, 0, 1)) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets time pass: timers fire in the order in which they are due, and what they started settles before the next. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settle();
    for (let timer = this.#next(untilMs); timer !== undefined; timer = this.#next(untilMs)) {
      this.#timers.delete(timer);
      this.#nowMs = timer.dueMs;
      timer.callback();
      await settle();
    }
    this.#nowMs = untilMs;
  }

  /** The earliest timer; of two at the same time the one that was set first. */
  #next(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= untilMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

/** Resolves when no promise can go on by itself: an immediate runs only after all of them. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
