/** Characters that no instruction of a pattern tells apart are one class; this finds the class of a character. */
export interface RuneClasses {
  readonly count: number;
  readonly classOf: (rune: number) => number;
  /** A character of each class. */
  readonly examples: readonly number[];
}

const asciiEnd = 128;

/** The classes between boundaries: each boundary begins a new one. */
export function runeClasses(boundaries: ReadonlySet<number>): RuneClasses {
  const starts = Int32Array.from(new Set([0, ...boundaries])).sort();
  const search = (rune: number) => {
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= rune) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const ascii = Uint16Array.from({ length: asciiEnd }, (_, rune) => search(rune));
  return {
    count: starts.length,
    classOf: (rune) => (rune < asciiEnd ? ascii[rune]! : search(rune)),
    examples: [...starts],
  };
}
