import type { Clock } from "#base/clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Time inside a plan: it stands still until somebody has it pass, and no real time is spent on it. */
export class PlanClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #aheadMs: number;
  #horizonMs: number;
  #nowMs: number;

  constructor(nowMs: number, aheadMs: number) {
    this.#nowMs = nowMs;
    this.#aheadMs = aheadMs;
    this.#horizonMs = nowMs + aheadMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Whether anything waits that is not too far ahead. */
  isAwaited(): boolean {
    for (const { dueMs } of this.#timers) if (dueMs <= this.#horizonMs) return true;
    return false;
  }

  /** Has the time go by that was looked ahead: what comes next comes when nothing is tolerated, or waited for, any more. */
  goOn(): void {
    this.#nowMs = this.#horizonMs;
    this.#horizonMs += this.#aheadMs;
  }

  /** Has time pass until everything is due that waits now and is not too far ahead. */
  passOn(): void {
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= this.#horizonMs);
    for (const timer of due.toSorted((a, b) => a.dueMs - b.dueMs)) {
      if (!this.#timers.delete(timer)) continue; // one before it made it pointless
      this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
      timer.callback();
    }
  }
}
