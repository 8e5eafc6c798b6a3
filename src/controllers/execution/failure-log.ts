import type { Clock } from "#base/clock.ts";

interface Failure {
  readonly message: string;
  readonly sinceMs: number;
}

/** What could not be done of each work. What fails for a moment, such as a namespace that is on its way there, too, is not worth a word. */
export class FailureLog {
  readonly #clock: Clock;
  readonly #momentMs: number;
  readonly #failures = new Map<string, Failure>();

  constructor(clock: Clock, momentMs: number) {
    this.#clock = clock;
    this.#momentMs = momentMs;
  }

  /** Whether it had failed before. */
  note(name: string, message: string): boolean {
    const known = this.#failures.get(name);
    this.#failures.set(name, { message, sinceMs: known?.sinceMs ?? this.#clock.nowMs() });
    return known !== undefined;
  }

  has(name: string): boolean {
    return this.#failures.has(name);
  }

  forget(name: string): void {
    this.#failures.delete(name);
  }

  worthTelling(name: string): string | undefined {
    const failure = this.#failures.get(name);
    return failure !== undefined && this.#clock.nowMs() - failure.sinceMs >= this.#momentMs
      ? failure.message
      : undefined;
  }
}
