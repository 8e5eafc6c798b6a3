/** How many are known, and how long they may be. */
const limit = 1_000;
const maxCharacters = 4_096;

/** Makes equal texts one and the same: what thousands of objects say takes room once. */
export class EqualTexts {
  readonly #known = new Map<string, string>();

  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined || text.length > maxCharacters) return known ?? text;
    if (this.#known.size >= limit) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}
