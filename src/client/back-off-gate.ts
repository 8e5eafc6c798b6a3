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
  #untilMs = 0;
  #message = "";

  constructor(clock: Clock, maxPauseMs: number) {
    this.#clock = clock;
    this.#maxPauseMs = maxPauseMs;
  }

  /** Throws while the server is to be left alone. */
  enter(): void {
    const leftMs = this.#untilMs - this.#clock.nowMs();
    if (leftMs <= 0) return;
    const retryAfterSeconds = Math.ceil(leftMs / 1_000);
    throw new StatusError(503, "ServiceUnavailable", this.#message, { retryAfterSeconds });
  }

  /** It gave an answer, whatever it was. */
  answered(): void {
    this.#failures = 0;
    this.#untilMs = 0;
  }

  /** It gave none. Failures of calls that were under way together count as one. */
  failed(error: Error): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.#untilMs) return;
    this.#untilMs = nowMs + Math.min(firstPauseMs * 2 ** this.#failures, this.#maxPauseMs);
    this.#failures++;
    this.#message = error.message;
  }

  /** It asked to be left alone for a while. */
  pause({ message, details }: StatusError): void {
    const pauseMs = Math.min((details?.retryAfterSeconds ?? 1) * 1_000, maxAskedMs);
    this.#untilMs = Math.max(this.#untilMs, this.#clock.nowMs() + pauseMs);
    this.#message = message;
  }
}
