import type { Scope } from "./scope.ts";
import type { StoreEvent, WatchRequest } from "./store.ts";

/** A subscription, and how far it has been served. */
export interface Watcher<Value> {
  readonly request: WatchRequest<Value>;
  /** Events up to this revision were delivered (or not asked for): a watcher that joins during a delivery gets nothing twice. */
  seen: number;
}

/** The watchers of one prefix, found by what they watch: one namespace's watcher costs nothing when another namespace changes. */
export class WatcherIndex<Value> {
  readonly #whole = new Set<Watcher<Value>>();
  readonly #parts = new Map<string, Set<Watcher<Value>>>();

  /** Adds a watcher and returns its removal. */
  add({ prefix, part }: Scope, watcher: Watcher<Value>): () => void {
    if (part === prefix) {
      this.#whole.add(watcher);
      return () => this.#whole.delete(watcher);
    }
    const peers = this.#parts.get(part) ?? new Set();
    this.#parts.set(part, peers.add(watcher));
    return () => {
      peers.delete(watcher);
      if (peers.size === 0 && this.#parts.get(part) === peers) this.#parts.delete(part);
    };
  }

  deliver(prefix: string, event: StoreEvent<Value>): void {
    for (const watcher of this.#whole) deliverOnce(watcher, event);
    if (this.#parts.size === 0) return;
    for (let slash = event.key.indexOf("/", prefix.length); slash !== -1; slash = event.key.indexOf("/", slash + 1)) {
      this.#deliverTo(event.key.slice(0, slash + 1), event);
    }
    this.#deliverTo(event.key, event);
  }

  #deliverTo(part: string, event: StoreEvent<Value>): void {
    const watchers = this.#parts.get(part);
    if (watchers === undefined) return;
    for (const watcher of watchers) deliverOnce(watcher, event);
  }
}

/** Delivers unless already seen. What a callback throws ends the turn's program, not the delivery to the others. */
export function deliverOnce<Value>(watcher: Watcher<Value>, event: StoreEvent<Value>): void {
  if (event.revision <= watcher.seen) return;
  watcher.seen = event.revision;
  runGuarded(() => watcher.request.deliver(event));
}

/** Runs a watcher's callback; an error in it surfaces as uncaught instead of leaving other watchers with a gap. */
export function runGuarded(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
