import { matchesLabels } from "#api/meta/label-selector.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { parseLabelSelector } from "#api/meta/parse-label-selector.ts";
import { keyOf, type ObjectKey, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import { isLaterRevision } from "#api/meta/revision-order.ts";
import type { Logger } from "#base/logger.ts";
import { shareEqual } from "#base/share-equal.ts";
import { ChangeListeners } from "./change-listeners.ts";
import { ObjectIndex } from "./object-index.ts";
import { ResourceStream, type ResourceStreamOptions } from "./resource-stream.ts";

/** What happened to one object, as far as this process has seen it: never two objects of one name at once. */
export type Change<T extends ApiObject> = {
  /** Seen in a first or repeated listing: background work, unlike an event that somebody just caused. */
  readonly initial: boolean;
} & ({ readonly before: T | undefined; readonly after: T } | { readonly before: T; readonly after: undefined });

export type ChangeListener<T extends ApiObject> = (change: Change<T>) => void;

/** Values under which an object is found again; empty: not at all. */
export type IndexFunction<T extends ApiObject> = (object: T) => readonly string[];

export interface InformerOptions<T extends ApiObject> extends Omit<ResourceStreamOptions, "listener"> {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /**
   * How many objects are kept; of further ones listeners are told, each time as if they were new, and nothing is remembered: who needs
   * one asks the server. For servers that are not trusted (SEC-17).
   */
  readonly maxObjects?: number;
  /** What of an object is kept, where not all of it is needed; its metadata has to name it. */
  readonly keep?: (object: T) => T;
}

/** A local copy of a resource. Objects are shared and must not be changed. */
export interface Informer<T extends ApiObject> {
  readonly resource: ResourceId;
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
  /** Whether the whole state has been seen once: before that, an absent object proves nothing. */
  readonly synced: boolean;
  readonly size: number;
  /** Resolves once synced, or when the informer is stopped before. */
  whenSynced(): Promise<void>;
  get(key: ObjectKey): T | undefined;
  /** The object of a key that is printed already. */
  at(key: string): T | undefined;
  /** All objects, in no order. */
  all(): Iterable<T>;
  /** Those of all objects that somebody wants, found without a look at anything else of the others. */
  select(isWanted: (object: T) => boolean): readonly T[];
  /** The objects that an index has under a value. */
  byIndex(index: string, value: string): readonly T[];
  /** Calls back for every change, or those in one namespace; what is here already is reported at once, where anybody has to be told. */
  subscribe(listener: ChangeListener<T>, namespace?: string): () => void;
  /** Calls back for every change from now on, and for nothing else. */
  onChange(listener: ChangeListener<T>): () => void;
}

/** One that follows the server. */
export class LiveInformer<T extends ApiObject> implements Informer<T> {
  readonly resource: ResourceId;
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
  readonly #options: InformerOptions<T>;
  readonly #stream: ResourceStream;
  readonly #index: ObjectIndex<T>;
  readonly #listeners = new ChangeListeners<T>();
  readonly #waiting: (() => void)[] = [];
  readonly #maxObjects: number;
  readonly #log: Logger;
  #overflowed = false;
  #synced = false;
  #stopped = false;
  #isListing = false;
  /** While a listing repeats what was known before: the keys it has shown. */
  #seen: Set<string> | undefined;
  /** What our own writes let go, by key with its uid, until the stream tells of it. */
  readonly #left = new Map<string, string>();

  constructor(options: InformerOptions<T>) {
    this.resource = options.resource;
    this.#options = options;
    this.#maxObjects = options.maxObjects ?? Number.POSITIVE_INFINITY;
    this.#log = options.log;
    this.indexes = options.indexes ?? {};
    this.#index = new ObjectIndex(this.indexes);
    this.#stream = new ResourceStream({
      ...options,
      listener: {
        listing: () => {
          this.#isListing = true;
          this.#left.clear();
          this.#seen = this.#index.size === 0 ? undefined : new Set();
        },
        present: (object) => this.#put(this.#sharing(object as T)), // the resource's kind
        gone: (object) => this.#gone(object),
        listed: () => this.#endListing(),
      },
    });
  }

  get synced(): boolean {
    return this.#synced;
  }

  whenSynced(): Promise<void> {
    return this.#synced || this.#stopped ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  get(key: ObjectKey): T | undefined {
    return this.#index.get(printKey(key));
  }

  at(key: string): T | undefined {
    return this.#index.get(key);
  }

  all(): Iterable<T> {
    return this.#index.all();
  }

  select(isWanted: (object: T) => boolean): readonly T[] {
    return selectFrom(this.#index.all(), isWanted);
  }

  get size(): number {
    return this.#index.size;
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#index.byIndex(index, value);
  }

  subscribe(listener: ChangeListener<T>, namespace?: string): () => void {
    for (const object of this.#index.all())
      if (namespace === undefined || object.metadata.namespace === namespace)
        listener({ before: undefined, after: object, initial: true });
    return this.#listeners.add(listener, namespace);
  }

  onChange(listener: ChangeListener<T>): () => void {
    return this.#listeners.add(listener);
  }

  start(signal: AbortSignal): void {
    const stop = () => {
      this.#stopped = true;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#stream.start(signal);
    const { client, resource } = this.#options;
    const forget = client.onWritten?.(resource, (object) => this.#written(object as T)); // the resource's kind
    if (forget !== undefined) signal.addEventListener("abort", forget, { once: true });
  }

  /** Our own write is known before the stream tells of it, unless the stream is past it already: it may tell of what came after. */
  #written(object: T): void {
    const { revision } = this.#stream;
    if (!this.#synced || revision === undefined || !this.#isMeant(object)) return;
    if (isLetGo(object)) this.#leave(object);
    else if (isLaterRevision(object.metadata.resourceVersion, revision)) this.#put(object);
    else this.#replace(object);
  }

  /** The stream was first: it told the same, but the answer shares with others what was written. */
  #replace(object: T): void {
    const key = printKey(keyOf(object));
    if (this.#index.get(key)?.metadata.resourceVersion !== object.metadata.resourceVersion) return;
    this.#index.put(key, this.#options.keep?.(object) ?? object);
  }

  /** It went with our own write, whose answer has the revision from before; what is told of that time comes late. */
  #leave({ metadata }: T): void {
    const key = printKey(keyOf({ metadata }));
    if (this.#index.get(key)?.metadata.uid !== metadata.uid) return;
    this.#left.set(key, metadata.uid);
    this.#remove(key);
  }

  /** Whether the stream would tell of an object. */
  #isMeant({ metadata }: T): boolean {
    const { namespace, labelSelector, fieldSelector } = this.#options.options ?? {};
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    if (fieldSelector !== undefined) return false; // cannot tell
    if (labelSelector === undefined) return true;
    const parsed = parseLabelSelector(labelSelector);
    return parsed.ok && matchesLabels(parsed.selector, metadata.labels ?? {});
  }

  #gone(object: ApiObject): void {
    const key = printKey(keyOf(object));
    const known = this.#index.get(key);
    if (this.#left.delete(key) && known === undefined) return;
    if (known !== undefined && this.#isOld(object, known)) return;
    if (known !== undefined) this.#remove(key);
    else if (this.#overflowed) this.#listeners.notify({ before: object as T, after: undefined, initial: false }); // the resource's kind
  }

  /** Told of what was before our own write, which is known already. A listing is the truth, whatever it says. */
  #isOld(told: ApiObject, known: ApiObject): boolean {
    return !this.#isListing && isLaterRevision(known.metadata.resourceVersion, told.metadata.resourceVersion);
  }

  /** Over a network every object comes anew and whole: what of it is as before stays the very same. */
  #sharing(object: T): T {
    if (this.#options.client.onWritten === undefined) return object;
    const known = this.#index.get(printKey(keyOf(object)));
    return known?.metadata.uid === object.metadata.uid ? shareEqual(object, known) : object;
  }

  #put(object: T): void {
    const key = printKey(keyOf(object));
    if (this.#left.size > 0 && this.#left.get(key) === object.metadata.uid) return;
    const known = this.#index.get(key);
    if (known === undefined && this.#index.size >= this.#maxObjects) return this.#overflow(object);
    this.#seen?.add(key);
    if (known?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    if (known !== undefined && this.#isOld(object, known)) return;
    const same = known?.metadata.uid === object.metadata.uid;
    if (known !== undefined && !same) this.#remove(key); // its deletion was missed
    const kept = this.#options.keep?.(object) ?? object;
    this.#index.put(key, kept);
    this.#listeners.notify({ before: same ? known : undefined, after: kept, initial: this.#isListing });
  }

  #overflow(object: T): void {
    this.#listeners.notify({ before: undefined, after: object, initial: this.#isListing });
    if (this.#overflowed) return;
    this.#overflowed = true;
    this.#log.error("too many objects to keep", { resource: this.resource.resource, kept: this.#maxObjects });
  }

  #remove(key: string): void {
    const known = this.#index.get(key);
    if (known === undefined) return;
    this.#index.remove(key);
    this.#listeners.notify({ before: known, after: undefined, initial: this.#isListing });
  }

  /** What a repeated listing did not show is gone. */
  #endListing(): void {
    for (const object of this.#seen === undefined ? [] : [...this.#index.all()]) {
      const key = printKey(keyOf(object));
      if (!this.#seen?.has(key)) this.#remove(key);
    }
    this.#seen = undefined;
    this.#isListing = false;
    this.#synced = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Whether a server removed the object with the very write of which this is the answer: it was leaving, and nothing held it any more. */
function isLetGo({ metadata }: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

/** Those of some objects that somebody wants. */
export function selectFrom<T>(objects: Iterable<T>, isWanted: (object: T) => boolean): T[] {
  const found: T[] = [];
  for (const object of objects) if (isWanted(object)) found.push(object);
  return found;
}
