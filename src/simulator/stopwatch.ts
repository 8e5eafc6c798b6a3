import type { Clock } from "#base/clock.ts";

/**
 * How long each key has been in its present state, as far as this process has seen: time stamps on the wire count whole seconds,
 * which is too coarse for a pace of milliseconds. After a restart a state begins anew.
 */
export class Stopwatch {
  readonly #clock: Clock;
  readonly #since = new Map<string, { readonly state: string; readonly ms: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  elapsedMs(key: string, state: string): number {
    const nowMs = this.#clock.nowMs();
    const known = this.#since.get(key);
    if (known?.state === state) return nowMs - known.ms;
    this.#since.set(key, { state, ms: nowMs });
    return 0;
  }

  forget(key: string): void {
    this.#since.delete(key);
  }
}
