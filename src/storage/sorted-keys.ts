import type { Scope } from "./scope.ts";

/** Fewer changes than this are spliced in one by one; more are sorted in together. */
const spliceLimit = 16;

/**
 * The keys of one prefix in order. Writers only note what changed; the order is restored when somebody reads it, so a burst of
 * creates costs one sort and a list after a single write costs two binary searches.
 */
export class SortedKeys {
  #keys: string[] = [];
  /** true: added and not yet in `#keys`; false: removed and still there. */
  readonly #changes = new Map<string, boolean>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: string): void {
    this.#size++;
    this.#note(key, true);
  }

  remove(key: string): void {
    this.#size--;
    this.#note(key, false);
  }

  /** The keys in order; valid until the next change. */
  inOrder(): readonly string[] {
    if (this.#changes.size > 0) this.#settle();
    return this.#keys;
  }

  /** Where a scope begins and ends in the ordered keys. */
  range({ prefix, part }: Scope): { readonly start: number; readonly end: number } {
    const keys = this.inOrder();
    if (part === prefix) return { start: 0, end: keys.length };
    const start = firstAtLeast(keys, part);
    if (part.endsWith("/")) return { start, end: firstAtLeast(keys, `${part.slice(0, -1)}0`) }; // "0" follows "/"
    return { start, end: keys[start] === part ? start + 1 : start };
  }

  #note(key: string, added: boolean): void {
    if (this.#changes.get(key) === !added) {
      this.#changes.delete(key);
      return;
    }
    this.#changes.set(key, added);
    // A prefix that nobody lists must not hold its keys twice.
    if (this.#changes.size > 1024 + this.#keys.length / 4) this.#settle();
  }

  #settle(): void {
    if (this.#changes.size <= spliceLimit) this.#spliceChanges();
    else this.#sortChanges();
    this.#changes.clear();
  }

  #spliceChanges(): void {
    for (const [key, added] of this.#changes) {
      const index = firstAtLeast(this.#keys, key);
      if (added) this.#keys.splice(index, 0, key);
      else this.#keys.splice(index, 1);
    }
  }

  #sortChanges(): void {
    const kept = this.#keys.filter((key) => this.#changes.get(key) !== false);
    for (const [key, added] of this.#changes) if (added) kept.push(key);
    this.#keys = kept.sort();
  }
}

/** The index of the first key that is not below `bound`. */
export function firstAtLeast(keys: readonly string[], bound: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
