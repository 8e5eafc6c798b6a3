/** What was met lately, by key: of so many keys the newest are kept, and as many that were met before them. */
export class MetLately<Key, Value> {
  readonly #remembered: number;
  #recent = new Map<Key, Value>();
  #earlier = new Map<Key, Value>();

  constructor(remembered: number) {
    this.#remembered = remembered;
  }

  get(key: Key): Value | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#remembered) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
