import type { Clock } from "#base/clock.ts";
import { PassingNotes } from "#base/passing-notes.ts";

/** States that are sent at once: a user's edit, and the next few. */
const burst = 5;
const refillMs = 1_000;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/**
 * How soon a work may be sent again, whatever changed. Somebody who changes a template a hundred times a second costs every member
 * one write a second, of the latest state (SEC-48).
 */
export class SendPace {
  readonly #clock: Clock;
  /** Until they are full again. */
  readonly #buckets: PassingNotes<Bucket>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#buckets = new PassingNotes(clock, burst * refillMs);
  }

  /** 0: now. */
  waitMs(name: string): number {
    const tokens = this.#tokensOf(name);
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * refillMs);
  }

  sent(name: string): void {
    this.#buckets.set(name, { tokens: this.#tokensOf(name) - 1, atMs: this.#clock.nowMs() });
  }

  forget(name: string): void {
    this.#buckets.delete(name);
  }

  #tokensOf(name: string): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.tokens + (this.#clock.nowMs() - bucket.atMs) / refillMs);
  }
}
