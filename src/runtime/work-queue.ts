import type { Clock } from "#base/clock.ts";

export type Lane = "user" | "background";

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Delay before the first retry of a key; doubles with each failure. */
  readonly firstRetryMs?: number;
  readonly maxRetryMs?: number;
}

/**
 * Keys that wait to be worked on. A key is in the queue at most once, however often it is added; one that is added while it is
 * being worked on comes again afterwards, so no two workers ever hold the same key. Users' edits overtake background work.
 */
export class WorkQueue {
  readonly #options: Required<WorkQueueOptions>;
  /** Insertion-ordered; a key stands in one lane at most. */
  readonly #lanes: Readonly<Record<Lane, Set<string>>> = { user: new Set(), background: new Set() };
  readonly #active = new Set<string>();
  /** Added while active: the lane in which they come again. */
  readonly #again = new Map<string, Lane>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly dueMs: number; readonly cancel: () => void }>();
  readonly #idle: (() => void)[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = { firstRetryMs: 5, maxRetryMs: 300_000, ...options };
  }

  /** Calls back whenever a key may be taken. */
  onReady(wake: () => void): void {
    this.#wake = wake;
  }

  add(key: string, lane: Lane): void {
    if (this.#closed) return;
    this.#cancelTimer(key);
    if (this.#active.has(key)) {
      if (this.#again.get(key) !== "user") this.#again.set(key, lane);
      return;
    }
    if (this.#lanes.user.has(key)) return;
    if (lane === "user") this.#lanes.background.delete(key);
    this.#lanes[lane].add(key);
    this.#wake?.();
  }

  /** Comes back later, unless it is added before; of two delays the earlier counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
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
    for (const lane of [this.#lanes.user, this.#lanes.background]) {
      for (const key of lane) {
        lane.delete(key);
        this.#active.add(key);
        return key;
      }
    }
    return undefined;
  }

  /** The work on a key is done: well, or to be tried again, after `retryAfterMs` at the earliest. */
  finish(key: string, outcome: { readonly failed: boolean; readonly retryAfterMs?: number | undefined }): void {
    this.#active.delete(key);
    const lane = this.#again.get(key);
    this.#again.delete(key);
    if (!outcome.failed) this.#failures.delete(key);
    const delayMs = outcome.failed ? Math.max(this.#backOff(key), outcome.retryAfterMs ?? 0) : outcome.retryAfterMs;
    if (lane !== undefined) this.add(key, lane);
    else if (delayMs !== undefined) this.addAfter(key, delayMs);
    this.#tellIdle();
  }

  /** Keys ready to be taken. */
  get size(): number {
    return this.#lanes.user.size + this.#lanes.background.size;
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
    for (const lane of Object.values(this.#lanes)) lane.clear();
    this.#again.clear();
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.size === 0 && this.#active.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #backOff(key: string): number {
    const { firstRetryMs, maxRetryMs } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
  }

  #cancelTimer(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }
}
