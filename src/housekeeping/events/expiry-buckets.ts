/** Keys by the time at which they expire, rounded up: a change costs the same however many there are. */
export class ExpiryBuckets {
  readonly #widthMs: number;
  /** bucket number → keys that are due at its end */
  readonly #buckets = new Map<number, Set<string>>();
  readonly #bucketOf = new Map<string, number>();

  constructor(widthMs: number) {
    this.#widthMs = widthMs;
  }

  get size(): number {
    return this.#bucketOf.size;
  }

  /** Sets when a key expires, also when it is known already. */
  put(key: string, dueMs: number): void {
    const bucket = Math.ceil(dueMs / this.#widthMs);
    if (this.#bucketOf.get(key) === bucket) return;
    this.remove(key);
    this.#bucketOf.set(key, bucket);
    const keys = this.#buckets.get(bucket);
    if (keys === undefined) this.#buckets.set(bucket, new Set([key]));
    else keys.add(key);
  }

  remove(key: string): void {
    const bucket = this.#bucketOf.get(key);
    if (bucket === undefined) return;
    this.#bucketOf.delete(key);
    const keys = this.#buckets.get(bucket);
    keys?.delete(key);
    if (keys?.size === 0) this.#buckets.delete(bucket);
  }

  /** When something expires next. There are as many buckets as fit into a lifetime, not as many as keys. */
  nextMs(): number | undefined {
    if (this.#buckets.size === 0) return undefined;
    return Math.min(...this.#buckets.keys()) * this.#widthMs;
  }

  /** Takes out what has expired. */
  takeDue(nowMs: number): readonly string[] {
    const due = [...this.#buckets]
      .filter(([bucket]) => bucket * this.#widthMs <= nowMs)
      .flatMap(([, keys]) => [...keys]);
    for (const key of due) this.remove(key);
    return due;
  }
}
