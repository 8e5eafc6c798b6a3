import type { ApiObject } from "#api/meta/object-meta.ts";

/** How long the texts are together that are remembered: those of the writes that are under way, and some. */
const maxLength = 256 * 1024;

/**
 * Objects by the texts that they were read from, the latest few. A server tells of a write twice, in its answer and to whoever watches, and
 * in the same words, whichever comes first: what was read need not be read again.
 */
export class ReadTexts {
  readonly #objects = new Map<string, ApiObject>();
  #length = 0;
  /** Writes that are under way: before and after them nothing is told twice. */
  #writes = 0;

  /** Makes a write, of which both will tell. */
  async during<T>(write: () => Promise<T>): Promise<T> {
    this.#writes++;
    try {
      return await write();
    } finally {
      this.#writes--;
    }
  }

  /** Remembers what a text was read as, while that may be told once more. */
  keep(text: string, object: ApiObject): void {
    if (this.#writes === 0) return;
    this.take(text);
    this.#objects.set(text, object);
    this.#length += text.length;
    for (const oldest of this.#objects.keys()) {
      if (this.#length <= maxLength) return;
      this.take(oldest);
    }
  }

  /** What a text was read as, if it is remembered; from then on it is not. */
  take(text: string): ApiObject | undefined {
    const object = this.#objects.get(text);
    if (object !== undefined && this.#objects.delete(text)) this.#length -= text.length;
    return object;
  }
}
