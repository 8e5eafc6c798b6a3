import type { Clock } from "#base/clock.ts";
import type { Watch } from "#runtime/controller.ts";
import { UntilCalm } from "./until-calm.ts";

/** How many times longer patience lasts while there is so much else to do that all of it is under way: what is to be sent goes first, reports follow. */
const longerWhenBusy = 60;

export interface SettlingOptions {
  readonly clock: Clock;
  /** How long there must be no more news. */
  readonly settleMs: number;
  /** After how long what is still under way is told at the latest: it is likely to be old when it is read. */
  readonly patienceMs: number;
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
  readonly #calm: UntilCalm;

  constructor(options: SettlingOptions) {
    this.#options = options;
    this.#calm = new UntilCalm({ ...options, lookMs: options.patienceMs });
  }

  /** Brings back the keys that waited until there is less to do. */
  get watch(): Watch {
    return this.#calm.watch;
  }

  /** Something about the key has changed. Returns how long that waits in any case: nothing need be looked at before. */
  note(key: string): number {
    const { clock, settleMs, patienceMs } = this.#options;
    const nowMs = clock.nowMs();
    const firstMs = this.#news.get(key)?.firstMs ?? nowMs;
    this.#news.set(key, { firstMs, lastMs: nowMs, isUnderWay: false });
    return Math.max(0, Math.min(settleMs, firstMs + patienceMs - nowMs));
  }

  /** All that changed has been told, or is not worth telling. */
  settle(key: string): void {
    this.#news.delete(key);
    this.#calm.forget(key);
  }

  /** How long the news wait yet in any case: nothing need be worked out before. */
  quietInMs(key: string): number {
    return this.leftMs(key, this.#news.get(key)?.isUnderWay === true ? "under way" : "final");
  }

  /**
   * How long the news wait yet: until they are quiet, or, while more are sure to come, for as long as patience lasts, which begins anew when there
   * was too much to do. Then ask again, or when the watch brings the key.
   */
  leftMs(key: string, state: "final" | "under way"): number {
    const news = this.#news.get(key);
    if (news === undefined) return 0;
    const { clock, settleMs, patienceMs } = this.#options;
    const nowMs = clock.nowMs();
    if (state === "final") return Math.max(0, Math.min(news.lastMs + settleMs, news.firstMs + patienceMs) - nowMs);
    news.isUnderWay = true;
    const endMs = news.firstMs + longerWhenBusy * patienceMs;
    const isLate = news.firstMs + patienceMs <= nowMs && this.#calm.isBusy();
    if (isLate && endMs > nowMs && this.#calm.wait(key)) return endMs - nowMs;
    const latestMs = Math.max(news.firstMs, this.#calm.lastBusyMs) + patienceMs;
    return Math.max(0, Math.min(latestMs, endMs) - nowMs);
  }
}
