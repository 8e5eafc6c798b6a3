import type { Clock } from "#base/clock.ts";

/** What is still under way is told after this many settle times at the latest: it is likely to be old when it is read. */
const usualPatience = 10;
/** And after this many while there is so much else to do that all of it is under way: what is to be sent goes first, reports follow. */
const patienceWhenBusy = 600;

export interface SettlingOptions {
  readonly clock: Clock;
  readonly settleMs: number;
  /** How many settle times what is under way may take; more for those who hear of it from others that settle, too. */
  readonly patience?: number;
  /** Whether there is more to do than can be done at once. */
  readonly isBusy: () => boolean;
}

interface News {
  readonly firstMs: number;
  readonly lastMs: number;
  /** Whether what they come to was found to be under way, and nothing has changed since. */
  isUnderWay: boolean;
}

/** Gathers the news about keys until they have settled, so that many changes become one report. */
export class Settling {
  readonly #options: SettlingOptions;
  readonly #news = new Map<string, News>();
  /** When there was last seen to be too much to do. */
  #busyMs = Number.NEGATIVE_INFINITY;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** Something about the key has changed. */
  note(key: string): void {
    const nowMs = this.#options.clock.nowMs();
    this.#news.set(key, { firstMs: this.#news.get(key)?.firstMs ?? nowMs, lastMs: nowMs, isUnderWay: false });
  }

  /** All that changed has been told, or is not worth telling. */
  settle(key: string): void {
    this.#news.delete(key);
  }

  /** How long the news wait yet in any case: nothing need be worked out before. */
  quietInMs(key: string): number {
    return this.leftMs(key, this.#news.get(key)?.isUnderWay === true ? "under way" : "final");
  }

  /**
   * How long the news wait yet: until they are quiet, or, while more are sure to come, for as long as patience lasts, which begins anew when there
   * was too much to do. Then ask again.
   */
  leftMs(key: string, state: "final" | "under way"): number {
    const news = this.#news.get(key);
    if (news === undefined) return 0;
    const { clock, settleMs, isBusy, patience = usualPatience } = this.#options;
    const nowMs = clock.nowMs();
    const patienceMs = patience * settleMs;
    if (state === "final") return Math.max(0, Math.min(news.lastMs + settleMs, news.firstMs + patienceMs) - nowMs);
    news.isUnderWay = true;
    if (news.firstMs + patienceMs <= nowMs && isBusy()) this.#busyMs = nowMs;
    const latestMs = Math.max(news.firstMs, this.#busyMs) + patienceMs;
    return Math.max(0, Math.min(latestMs, news.firstMs + patienceWhenBusy * settleMs) - nowMs);
  }
}
