import type { CallOptions, WatchEvent } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ObjectKey, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { ObjectIndex } from "./object-index.ts";

/** What happened to one object, as far as this process has seen it. */
export interface Change<T extends ApiObject> {
  readonly before: T | undefined;
  readonly after: T | undefined;
  /** Seen in a first or repeated listing: background work, unlike an event that somebody just caused. */
  readonly initial: boolean;
}

export type ChangeListener<T extends ApiObject> = (change: Change<T>) => void;

/** Values under which an object is found again; undefined or empty: not at all. */
export type IndexFunction<T extends ApiObject> = (object: T) => readonly string[];

export interface InformerOptions<T extends ApiObject> {
  readonly client: Client;
  readonly resource: ResourceId;
  readonly clock: Clock;
  readonly log: Logger;
  readonly options?: CallOptions & { readonly namespace?: string };
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
}

const firstRetryMs = 100;
const maxRetryMs = 30_000;

/**
 * A local copy of a resource that follows the server: one stream that begins with the present state, resumed from the last
 * revision when it breaks, begun anew when that revision is gone. Objects are shared and must not be changed.
 *
 *   idle ── start ──▶ listing ── initial-events-end ──▶ following ── end ──▶ following (resumed)
 *                        ▲                                   │
 *                        └───────────── 410 Expired ◀────────┘
 */
export class Informer<T extends ApiObject> {
  readonly resource: ResourceId;
  readonly #options: InformerOptions<T>;
  readonly #index: ObjectIndex<T>;
  readonly #listeners = new Set<ChangeListener<T>>();
  readonly #waiting: (() => void)[] = [];
  #synced = false;
  #stopped = false;
  #revision: string | undefined;
  #seen: Set<string> | undefined;
  #retryMs = firstRetryMs;
  #stopStream: (() => void) | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.resource = options.resource;
    this.#index = new ObjectIndex(options.indexes ?? {});
  }

  /** Whether the whole state has been seen once: before that, an absent object proves nothing. */
  get synced(): boolean {
    return this.#synced;
  }

  whenSynced(): Promise<void> {
    return this.#synced ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  get(key: ObjectKey): T | undefined {
    return this.#index.get(printKey(key));
  }

  /** All objects, in no order. */
  all(): Iterable<T> {
    return this.#index.all();
  }

  get size(): number {
    return this.#index.size;
  }

  /** The objects that an index has under a value. */
  byIndex(index: string, value: string): readonly T[] {
    return this.#index.byIndex(index, value);
  }

  /** Calls back for every change from now on; what is here already is reported at once. */
  subscribe(listener: ChangeListener<T>): () => void {
    for (const object of this.#index.all()) listener({ before: undefined, after: object, initial: true });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(signal: AbortSignal): void {
    signal.addEventListener("abort", () => this.#stop(), { once: true });
    void this.#connect();
  }

  #stop(): void {
    this.#stopped = true;
    this.#stopStream?.();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #connect(): Promise<void> {
    if (this.#stopped) return;
    const { client, resource, options, log } = this.#options;
    const fresh = this.#revision === undefined;
    try {
      if (fresh) this.#seen = new Set();
      const source = await client.watch(resource, {
        ...options,
        allowWatchBookmarks: true,
        ...(fresh
          ? { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" }
          : { resourceVersion: this.#revision! }),
      });
      if (this.#stopped) return;
      let ended = false;
      const stop = source.start({
        event: (event) => this.#receive(event),
        end: () => {
          ended = true;
          this.#reconnect();
        },
      });
      if (!ended) this.#stopStream = stop;
    } catch (error: unknown) {
      log.error("cannot watch", { resource: resource.resource, error });
      this.#reconnect();
    }
  }

  /** An ended stream is ordinary: resume at once. A failing server gets more time with each try. */
  #reconnect(): void {
    this.#stopStream = undefined;
    if (this.#stopped) return;
    const delay = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
    this.#options.clock.after(delay, () => void this.#connect());
  }

  #receive(event: WatchEvent): void {
    if (this.#stopped) return;
    switch (event.type) {
      case "ERROR":
        this.#revision = undefined; // too old, or the server is confused: begin anew
        return;
      case "BOOKMARK":
        this.#revision = event.resourceVersion;
        if (event.initialEventsEnd) this.#endListing();
        return;
      default:
        this.#retryMs = firstRetryMs;
        this.#accept(event.type, event.object as T); // the resource's kind
    }
  }

  #accept(type: "ADDED" | "MODIFIED" | "DELETED", object: T): void {
    const key = printKey(keyOf(object));
    const initial = this.#seen !== undefined;
    if (initial) this.#seen?.add(key);
    else this.#revision = object.metadata.resourceVersion;
    const before = this.#index.get(key);
    if (type === "DELETED") this.#index.remove(key);
    else this.#index.put(key, object);
    if (
      before === object ||
      (before?.metadata.resourceVersion === object.metadata.resourceVersion && type !== "DELETED")
    )
      return;
    this.#notify({ before, after: type === "DELETED" ? undefined : object, initial });
  }

  /** What a repeated listing did not show is gone. */
  #endListing(): void {
    this.#retryMs = firstRetryMs;
    const seen = this.#seen;
    this.#seen = undefined;
    if (seen === undefined) return;
    for (const object of [...this.#index.all()]) {
      const key = printKey(keyOf(object));
      if (seen.has(key)) continue;
      this.#index.remove(key);
      this.#notify({ before: object, after: undefined, initial: true });
    }
    this.#synced = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #notify(change: Change<T>): void {
    for (const listener of this.#listeners) listener(change);
  }
}
