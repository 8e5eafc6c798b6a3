import type { Clock } from "#base/clock.ts";

interface Timer {
  readonly dueMs: number;
  /** Which of those that are due at once was set first. */
  readonly order: number;
  readonly callback: () => void;
}

/** Time that passes only when told to. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  /** A heap of the timers, the earliest first, and of some that were cancelled. */
  readonly #heap: Timer[] = [];
  #set = 0;
  #nowMs: number;

  constructor(nowMs: number = Date.UTC(2030, 0, 1)) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#set++, callback };
    this.#timers.add(timer);
    push(this.#heap, timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets time pass: timers fire in the order in which they are due, and what they started settles before the next. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settle();
    for (let timer = this.#next(untilMs); timer !== undefined; timer = this.#next(untilMs)) {
      this.#timers.delete(timer);
      this.#nowMs = timer.dueMs;
      timer.callback();
      await settle();
    }
    this.#nowMs = untilMs;
  }

  /** The earliest timer; of two at the same time the one that was set first. */
  #next(untilMs: number): Timer | undefined {
    while (this.#heap.length > 0 && !this.#timers.has(this.#heap[0]!)) pop(this.#heap);
    const first = this.#heap[0];
    return first !== undefined && first.dueMs <= untilMs ? first : undefined;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}

function push(heap: Timer[], timer: Timer): void {
  let at = heap.length;
  for (let above = (at - 1) >> 1; at > 0 && isBefore(timer, heap[above]!); above = (at - 1) >> 1) {
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = timer;
}

/** Takes the first away. */
function pop(heap: Timer[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const below = left + 1 < heap.length && isBefore(heap[left + 1]!, heap[left]!) ? left + 1 : left;
    if (below >= heap.length || !isBefore(heap[below]!, last)) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = last;
}

/** Resolves when no promise can go on by itself: an immediate runs only after all of them. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
