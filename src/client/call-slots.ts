/** A server that is content gets one call more at once for so many answers per slot. */
const answersPerSlot = 10;

/**
 * Lets so many calls go at once; the others wait their turn here, where whoever lets them go can still decide that they may not. A server that
 * asks for time gets half as many from then on, and more again as it answers.
 */
export class CallSlots {
  readonly #most: number;
  readonly #waiting = new Set<() => void>();
  #limit: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** How many calls may be under way at once now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Resolves when it is the caller's turn, who frees the slot afterwards. */
  take(): Promise<void> {
    if (this.#taken < this.limit && this.#waiting.size === 0) {
      this.#taken++;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  free(): void {
    this.#taken--;
    for (const next of this.#waiting) {
      if (this.#taken >= this.limit) return;
      this.#waiting.delete(next);
      this.#taken++;
      next();
    }
  }

  /** The server did what it was asked for. */
  widen(): void {
    this.#limit = Math.min(this.#limit + 1 / (answersPerSlot * this.limit), this.#most);
  }

  /** It asked for time. */
  narrow(): void {
    this.#limit = Math.max(1, this.#limit / 2);
  }
}
