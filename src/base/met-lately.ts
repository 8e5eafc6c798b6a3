/** What was met lately, by key: of so many keys the newest are kept, and as many that were met before them. */
export class MetLately<Key, Value> {
  readonly #remembered: number;
  #recent = new Map<Key, Value>();
  #earlier = new Map<Key, Value>();

  constructor(remembered: number) {
    this.#remembered = remembered;
  }

  /** What is asked for is met by that. */
  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const earlier = this.#earlier.get(key);
    if (earlier !== undefined) this.set(key, earlier);
    return earlier;
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#remembered) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
