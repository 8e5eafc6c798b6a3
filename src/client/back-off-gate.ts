import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";

const firstPauseMs = 1_000;
/** A server that asks for more time than this is asked again before. */
const maxAskedMs = 30_000;

/**
 * Keeps a server that does not answer, or asks for time, from being asked by everybody all the while: calls are refused at once,
 * with the words of the failure and the time after which to try again.
 */
export class BackOffGate {
  readonly #clock: Clock;
  readonly #maxPauseMs: number;
  #failures = 0;
  #silentUntilMs = 0;
  /** What the server asked for holds, whatever it answers to calls that were under way then. */
  #askedUntilMs = 0;
  #message = "";

  constructor(clock: Clock, maxPauseMs: number) {
    this.#clock = clock;
    this.#maxPauseMs = maxPauseMs;
  }

  /** Throws while the server is to be left alone. */
  enter(): void {
    const leftMs = Math.max(this.#silentUntilMs, this.#askedUntilMs) - this.#clock.nowMs();
    if (leftMs <= 0) return;
    const retryAfterSeconds = Math.ceil(leftMs / 1_000);
    throw new StatusError(503, "ServiceUnavailable", this.#message, { retryAfterSeconds });
  }

  /** It gave an answer, whatever it was. */
  answered(): void {
    this.#failures = 0;
    this.#silentUntilMs = 0;
  }

  /** It gave none. Failures of calls that were under way together count as one. */
  failed(error: Error): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.#silentUntilMs) return;
    this.#silentUntilMs = nowMs + Math.min(firstPauseMs * 2 ** this.#failures, this.#maxPauseMs);
    this.#failures++;
    this.#message = error.message;
  }

  /** It asked to be left alone for a while. Whether it had not asked before: answers to calls that were under way together count as one. */
  pause({ message, details }: StatusError): boolean {
    const nowMs = this.#clock.nowMs();
    const isNews = nowMs >= this.#askedUntilMs;
    const pauseMs = Math.min((details?.retryAfterSeconds ?? 1) * 1_000, maxAskedMs);
    this.#askedUntilMs = Math.max(this.#askedUntilMs, nowMs + pauseMs);
    this.#message = message;
    return isNews;
  }
}
