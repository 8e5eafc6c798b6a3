import type { Clock } from "#base/clock.ts";
import type { Enqueue, Watch } from "#runtime/controller.ts";

export interface UntilCalmOptions {
  readonly clock: Clock;
  /** Whether there is more to do than can be done at once. */
  readonly isBusy: () => boolean;
  /** How long until it is asked again. */
  readonly lookMs: number;
  /** How many keys come back at once, at most: what they do must not become too much itself. */
  readonly atOnce?: number;
}

/** Keys that wait until there is less to do: one look for all of them, instead of one for each. */
export class UntilCalm {
  readonly #options: UntilCalmOptions;
  readonly #waiting = new Set<string>();
  /** What was brought back, until it is forgotten or waits again. */
  readonly #due = new Set<string>();
  #busyMs = Number.NEGATIVE_INFINITY;
  #enqueue: Enqueue | undefined;
  #cancelLook: (() => void) | undefined;

  constructor(options: UntilCalmOptions) {
    this.#options = options;
  }

  /** When there was last seen to be too much to do. */
  get lastBusyMs(): number {
    return this.#busyMs;
  }

  isBusy(): boolean {
    const { clock, isBusy } = this.#options;
    if (!isBusy()) return false;
    this.#busyMs = clock.nowMs();
    return true;
  }

  /** Brings back the keys that waited. */
  readonly watch: Watch = (enqueue) => {
    this.#enqueue = enqueue;
    return () => {
      this.#enqueue = undefined;
      this.#cancelLook?.();
      this.#cancelLook = undefined;
    };
  };

  /** Has the watch bring back the key; false while nobody watches: ask again later. */
  wait(key: string): boolean {
    if (this.#enqueue === undefined) return false;
    this.#due.delete(key);
    this.#waiting.add(key);
    this.#cancelLook ??= this.#lookLater();
    return true;
  }

  /** Whether the key was brought back, and need not ask whether there is less to do: those that come with it would keep it waiting. */
  isDue(key: string): boolean {
    return this.#due.has(key);
  }

  forget(key: string): void {
    this.#waiting.delete(key);
    this.#due.delete(key);
  }

  #lookLater(): () => void {
    const { clock, lookMs } = this.#options;
    return clock.after(lookMs, () => this.#look());
  }

  #look(): void {
    this.#cancelLook = undefined;
    if (!this.isBusy()) this.#bringBack();
    if (this.#waiting.size > 0) this.#cancelLook ??= this.#lookLater();
  }

  #bringBack(): void {
    let room = this.#options.atOnce ?? Number.POSITIVE_INFINITY;
    for (const key of this.#waiting) {
      if (room-- <= 0) return;
      this.#waiting.delete(key);
      this.#due.add(key);
      this.#enqueue?.(key, "background");
    }
  }
}
