import type { HttpResponse } from "./exchange.ts";

export interface UnreadLimits {
  readonly unreadMs: number;
  readonly unreadBytes: number;
}

/**
 * Answers that are complete here and not yet read there. A client that does not read costs memory: it has a time to do so, and when all
 * of them together take too much, those that have waited longest are given up.
 */
export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  /** Oldest first. */
  readonly #waiting = new Map<HttpResponse, number>();
  #bytes = 0;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Watches over an answer that was just ended. */
  add(response: HttpResponse): void {
    const bytes = response.writableLength;
    if (response.writableFinished || isGone(response) || bytes === 0) return;
    this.#waiting.set(response, bytes);
    this.#bytes += bytes;
    const timer = setTimeout(() => abandon(response), this.#limits.unreadMs).unref();
    const forget = () => {
      clearTimeout(timer);
      this.#remove(response);
    };
    response.once("finish", forget);
    response.once("close", forget);
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= this.#limits.unreadBytes) break;
      this.#remove(oldest);
      abandon(oldest);
    }
  }

  #remove(response: HttpResponse): void {
    this.#bytes -= this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
  }
}

/** Whether more has been written than the client has taken so far. */
export function isBehind(response: HttpResponse): boolean {
  return "stream" in response ? (response.stream?.writableNeedDrain ?? false) : response.writableNeedDrain;
}

/** Whether nobody is there any more to be answered. */
export function isGone(response: HttpResponse): boolean {
  return "stream" in response ? (response.stream?.destroyed ?? true) : response.destroyed;
}

/** In HTTP/2 the other requests of the connection go on. */
export function abandon(response: HttpResponse): void {
  if ("stream" in response) response.stream?.destroy();
  else response.destroy();
}
