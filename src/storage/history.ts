import { Queue } from "./queue.ts";
import type { Entry, StoreEvent } from "./store.ts";

/** A committed write: the event that watchers get, and what it takes to undo it. */
export interface Change<Value> extends StoreEvent<Value> {
  /** The entry it left; for a deletion, the last state at the deletion's revision. */
  readonly entry: Entry<Value>;
  /** The entry that this write replaced or deleted. */
  readonly before?: Entry<Value>;
}

/** The kept changes of one prefix, oldest first. */
export class PrefixHistory<Value> {
  /**
   * The revision of the newest change that is no longer kept. Whoever has seen it has missed nothing, however old it is: a
   * prefix where nothing happens never turns a watcher away.
   */
  dropped = 0;
  readonly #changes = new Queue<Change<Value>>();

  get oldestKept(): number | undefined {
    return this.#changes.at(0)?.revision;
  }

  push(change: Change<Value>): void {
    this.#changes.push(change);
  }

  dropOldest(): void {
    const change = this.#changes.shift();
    // a newer one may be gone already: what a start leaves out is not kept in the first place
    if (change !== undefined) this.dropped = Math.max(this.dropped, change.revision);
  }

  /** The changes above a revision, which must not be below `dropped`. */
  *after(revision: number): Generator<Change<Value>> {
    for (let index = this.#firstAfter(revision); index < this.#changes.length; index++) yield this.#changes.at(index)!;
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#changes.at(middle)!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Bounds the changes kept over all prefixes: the oldest goes first, wherever it lies. */
export class History<Value> {
  readonly #limit: number;
  /** One element per kept change, in revision order: whose oldest change is next to go. */
  readonly #order = new Queue<PrefixHistory<Value>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(history: PrefixHistory<Value>, change: Change<Value>): void {
    history.push(change);
    this.#order.push(history);
    if (this.#order.length > this.#limit) this.#order.shift()?.dropOldest();
  }

  dropUpTo(revision: number): void {
    for (let next = this.#order.at(0); next !== undefined; next = this.#order.at(0)) {
      if (next.oldestKept === undefined || next.oldestKept > revision) return;
      this.#order.shift();
      next.dropOldest();
    }
  }
}
