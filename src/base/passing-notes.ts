import type { Clock } from "./clock.ts";

/** Notes by key that matter for some time only: each is kept for so long, and gone before twice as long when others are taken. */
export class PassingNotes<Note> {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #keptMs: number;
  #recent = new Map<string, Note>();
  #earlier = new Map<string, Note>();
  #turnedMs: number;

  constructor(clock: Pick<Clock, "nowMs">, keptMs: number) {
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.#turnedMs = clock.nowMs();
  }

  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }

  get(key: string): Note | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key);
  }

  set(key: string, note: Note): void {
    this.#turn();
    this.#earlier.delete(key);
    this.#recent.set(key, note);
  }

  delete(key: string): void {
    this.#recent.delete(key);
    this.#earlier.delete(key);
  }

  #turn(): void {
    const nowMs = this.#clock.nowMs();
    const passedMs = nowMs - this.#turnedMs;
    if (passedMs < this.#keptMs) return;
    this.#earlier = passedMs < 2 * this.#keptMs ? this.#recent : new Map();
    this.#recent = new Map();
    this.#turnedMs = nowMs;
  }
}
