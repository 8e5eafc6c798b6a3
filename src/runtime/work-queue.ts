import type { Clock } from "#base/clock.ts";
import { retryAskedMs } from "./asked-retry.ts";
import { type Lane, ReadyKeys } from "./ready-keys.ts";

/** What a queue tells of itself. */
export interface QueueFigures {
  /** A key was put in line. */
  added(): void;
  /** A key was taken after this time. */
  waited(ms: number): void;
  /** A key failed and was put off. */
  retried(): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Keys with higher values are served first, whatever their lane; asked when a key is added. */
  readonly priorityOf?: ((key: string) => number) | undefined;
  readonly figures?: QueueFigures;
  /** Delay before the first retry of a key; doubles with each failure. */
  readonly firstRetryMs?: number;
  readonly maxRetryMs?: number;
}

/**
 * Keys that wait to be worked on. A key is in the queue at most once, however often it is added; one that is added while it is
 * being worked on comes again afterwards, so no two workers ever hold the same key. Higher priorities are served first; users' edits
 * overtake background work.
 */
export class WorkQueue {
  readonly #options: Required<Pick<WorkQueueOptions, "clock" | "firstRetryMs" | "maxRetryMs">>;
  readonly #priorityOf: (key: string) => number;
  readonly #figures: QueueFigures | undefined;
  readonly #ready = new ReadyKeys();
  readonly #active = new Set<string>();
  /** Added while active: the lane in which they come again. */
  readonly #again = new Map<string, Lane>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly dueMs: number; readonly cancel: () => void }>();
  readonly #idle: (() => void)[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    const { clock, firstRetryMs = 5, maxRetryMs = 300_000, priorityOf = () => 0, figures } = options;
    this.#options = { clock, firstRetryMs, maxRetryMs };
    this.#priorityOf = priorityOf;
    this.#figures = figures;
  }

  /** Calls back whenever a key may be taken. */
  onReady(wake: () => void): void {
    this.#wake = wake;
  }

  add(key: string, lane: Lane): void {
    if (this.#closed) return;
    this.#cancelTimer(key);
    if (this.#active.size > 0 && this.#active.has(key)) {
      if (this.#again.get(key) !== "user") this.#again.set(key, lane);
      return;
    }
    const place = { priority: this.#priorityOf(key), lane };
    if (this.#ready.put(key, place, this.#options.clock.elapsedMs())) this.#figures?.added();
    this.#wake?.();
  }

  /** Comes back later, unless it is added before; of two delays the earlier counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed || this.#ready.has(key)) return;
    const { clock } = this.#options;
    const dueMs = clock.nowMs() + delayMs;
    const known = this.#timers.get(key);
    if (known !== undefined && known.dueMs <= dueMs) return;
    known?.cancel();
    const cancel = clock.after(delayMs, () => {
      this.#timers.delete(key);
      this.add(key, "background");
    });
    this.#timers.set(key, { dueMs, cancel });
  }

  take(): string | undefined {
    const next = this.#ready.take();
    if (next === undefined) return undefined;
    this.#active.add(next.key);
    this.#figures?.waited(this.#options.clock.elapsedMs() - next.sinceMs);
    return next.key;
  }

  /** The work on a key is done: well, or to be tried again, after `retryAfterMs` at the earliest. */
  finish(key: string, outcome: { readonly failed: boolean; readonly retryAfterMs?: number | undefined }): void {
    this.#active.delete(key);
    const lane = this.#again.size === 0 ? undefined : this.#again.get(key);
    if (lane !== undefined) this.#again.delete(key);
    if (outcome.failed) this.#figures?.retried();
    else if (this.#failures.size > 0) this.#failures.delete(key);
    const delayMs = outcome.failed ? this.#retryMs(key, outcome.retryAfterMs) : outcome.retryAfterMs;
    if (lane !== undefined) this.add(key, lane);
    else if (delayMs !== undefined) this.addAfter(key, delayMs);
    this.#tellIdle();
  }

  /** Whether a key is ready to be taken, or being worked on; one that comes back later is not. */
  has(key: string): boolean {
    return this.#active.has(key) || this.#ready.has(key);
  }

  /** Keys ready to be taken. */
  get size(): number {
    return this.#ready.size;
  }

  /** Those of them that are not background work. */
  get urgent(): number {
    return this.#ready.sizeOf("user");
  }

  /** Keys that come back by themselves, later. */
  get delayed(): number {
    return this.#timers.size;
  }

  get active(): number {
    return this.#active.size;
  }

  /** Resolves when nothing is ready or being worked on; delayed keys do not count. */
  whenIdle(): Promise<void> {
    return this.size === 0 && this.#active.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Drops everything that waits and takes no more; what is being worked on may finish. */
  close(): void {
    this.#closed = true;
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#ready.clear();
    this.#again.clear();
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.size === 0 && this.#active.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Doubles with each failure. Refusals that everybody gets count as far as they make a difference, lest the next failure weigh too much. */
  #retryMs(key: string, askedMs: number | undefined): number {
    const { firstRetryMs, maxRetryMs } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    const backOffMs = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
    const retryMs = askedMs === undefined ? backOffMs : retryAskedMs(backOffMs, askedMs);
    if (backOffMs <= retryMs) this.#failures.set(key, failures + 1);
    return retryMs;
  }

  #cancelTimer(key: string): void {
    if (this.#timers.size === 0) return;
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }
}
