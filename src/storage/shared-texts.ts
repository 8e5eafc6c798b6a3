import type { CommitOutcome } from "./committer.ts";

/** A text that many values have in common, under its number. */
export type SharedText = readonly [id: number, text: string];

/** More would cost memory for little: what does not fit is written out in each value. */
const limits = { texts: 20_000, characters: 8 << 20, each: 16 << 10, seen: 20_000 };

/**
 * Texts that values on disk have in common, each kept once and named by a number. A text gets its number when it comes for the second
 * time, and is made durable in the same transaction as the first value that names it. Numbers are never given up: there are limits instead.
 */
export class SharedTexts {
  readonly #ids = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  /** Those that are not known to be durable yet. */
  readonly #unsaved = new Map<number, string>();
  readonly #seenOnce = new Set<string>();
  #characters = 0;
  /** While space is short none is added: what deletions name has to fit into what was held back for them. */
  #isSpaceShort = false;
  #last = 0;

  /** The number to name a text by; undefined: write it out. */
  idOf(text: string): number | undefined {
    const known = this.#ids.get(text);
    if (known !== undefined || !this.#hasRoomFor(text)) return known;
    if (!this.#seenOnce.delete(text)) {
      if (this.#seenOnce.size >= limits.seen) this.#seenOnce.clear();
      this.#seenOnce.add(text);
      return undefined;
    }
    const id = this.#last + 1;
    this.restore([id, text]);
    this.#unsaved.set(id, text);
    return id;
  }

  textOf(id: number): string | undefined {
    return this.#texts.get(id);
  }

  /** At start: takes over a durable text. */
  restore([id, text]: SharedText): void {
    this.#ids.set(text, id);
    this.#texts.set(id, text);
    this.#characters += text.length;
    this.#last = Math.max(this.#last, id);
  }

  /** What has to go with the next values. */
  unsaved(): readonly SharedText[] {
    return [...this.#unsaved];
  }

  /** Takes note of how the commit ended that these went with. */
  committed(texts: readonly SharedText[], { kept }: CommitOutcome): void {
    this.#isSpaceShort = kept !== "all";
    if (kept !== "nothing") for (const [id] of texts) this.#unsaved.delete(id);
  }

  #hasRoomFor({ length }: string): boolean {
    const { texts, characters, each } = limits;
    if (this.#isSpaceShort) return false;
    return length <= each && this.#texts.size < texts && this.#characters + length <= characters;
  }
}
