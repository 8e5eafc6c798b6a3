/** What can be seen of a change under way. */
export interface Outlook {
  /** Grows with everything that is heard of the fleet. */
  readonly heard: number;
  /** How far the change has come, in a few words. */
  describe(): string;
}

/** How often is told how far a change has come. */
const tellMs = 30_000;
/** Whoever waits to try again does so sooner; who waits for what has been lost does not. */
const stillMs = 600_000;

/** Follows one change: tells now and then how far it has come, and gives up when nothing has moved for long. */
export class Progress {
  readonly #outlook: Outlook;
  readonly #tell: (line: string) => void;
  #heard: number;
  #movedMs: number;
  #toldMs: number;

  constructor({ outlook, tell, nowMs }: { outlook: Outlook; tell: (line: string) => void; nowMs: number }) {
    this.#outlook = outlook;
    this.#tell = tell;
    this.#heard = outlook.heard;
    this.#movedMs = nowMs;
    this.#toldMs = nowMs;
  }

  /** Throws, with what there is to be seen, when nothing moves any more. */
  look(nowMs: number): void {
    const { heard } = this.#outlook;
    if (heard !== this.#heard) this.#movedMs = nowMs;
    this.#heard = heard;
    if (nowMs - this.#movedMs >= stillMs)
      throw new Error(`nothing has moved for ${stillMs / 1_000} s: ${this.#outlook.describe()}`);
    if (nowMs - this.#toldMs < tellMs) return;
    this.#toldMs = nowMs;
    this.#tell(`  … ${this.#outlook.describe()}`);
  }
}
