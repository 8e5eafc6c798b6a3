import type { Clock } from "#base/clock.ts";

/** What is still under way is told after this many settle times at the latest: it is likely to be old when it is read. */
const patience = 5;

interface News {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Gathers the news about keys until they have settled, so that many changes become one report. */
export class Settling {
  readonly #clock: Clock;
  readonly #settleMs: number;
  readonly #news = new Map<string, News>();

  constructor(clock: Clock, settleMs: number) {
    this.#clock = clock;
    this.#settleMs = settleMs;
  }

  /** Something about the key has changed. */
  note(key: string): void {
    const nowMs = this.#clock.nowMs();
    this.#news.set(key, { firstMs: this.#news.get(key)?.firstMs ?? nowMs, lastMs: nowMs });
  }

  /** All that changed has been told, or is not worth telling. */
  settle(key: string): void {
    this.#news.delete(key);
  }

  /** How long the news wait yet: until they are quiet, or, while more are sure to come, for as long as patience lasts. */
  leftMs(key: string, state: "final" | "under way"): number {
    const news = this.#news.get(key);
    if (news === undefined) return 0;
    const latestMs = news.firstMs + patience * this.#settleMs;
    const dueMs = state === "final" ? Math.min(news.lastMs + this.#settleMs, latestMs) : latestMs;
    return Math.max(0, dueMs - this.#clock.nowMs());
  }
}
