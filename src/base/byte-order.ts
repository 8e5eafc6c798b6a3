import { sortFew } from "./sort-few.ts";

/**
 * The order of two texts by their UTF-8 bytes, which is how Go compares strings. It differs from JavaScript's own order
 * only where a character outside the basic plane meets one from U+E000 upwards.
 */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const surrogates = isSurrogate(left) !== isSurrogate(right) && left >= 0xd800 && right >= 0xd800;
    return left < right !== surrogates ? -1 : 1;
  }
  return a.length - b.length;
}

/** A copy in byte order of the names. */
export function sortedByName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return sortFew([...items], (a, b) => compareBytes(a.name, b.name));
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
