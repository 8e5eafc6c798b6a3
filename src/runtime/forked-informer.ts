import type { ApiObject } from "#api/meta/object-meta.ts";
import { type ObjectKey, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import { ChangeListeners } from "./change-listeners.ts";
import type { ChangeListener, IndexFunction, Informer } from "./informer.ts";
import { ObjectIndex } from "./object-index.ts";

/** What became of one object in a fork. */
export interface Difference<T extends ApiObject> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/**
 * The state of another informer at one moment, to be changed without the other's knowledge. It costs what differs: nothing is copied,
 * what changes there afterwards is remembered here as it was.
 */
export class ForkedInformer<T extends ApiObject> implements Informer<T> {
  readonly resource: ResourceId;
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
  readonly #origin: Informer<T>;
  /** What the origin had at the moment of the fork, by the keys about which it is not asked any more. */
  readonly #former = new Map<string, T | undefined>();
  readonly #own: ObjectIndex<T>;
  readonly #listeners = new ChangeListeners<T>();
  readonly #leave: () => void;

  constructor(origin: Informer<T>) {
    this.#origin = origin;
    this.resource = origin.resource;
    this.indexes = origin.indexes;
    this.#own = new ObjectIndex(origin.indexes);
    this.#leave = origin.onChange(({ before, after }) => this.#keep(nameOf((before ?? after)!), before));
  }

  get synced(): boolean {
    return this.#origin.synced;
  }

  whenSynced(): Promise<void> {
    return this.#origin.whenSynced();
  }

  get size(): number {
    let size = 0;
    for (const _ of this.all()) size++;
    return size;
  }

  get(key: ObjectKey): T | undefined {
    return this.at(printKey(key));
  }

  at(key: string): T | undefined {
    return this.#former.has(key) ? this.#own.get(key) : this.#origin.at(key);
  }

  all(): Iterable<T> {
    return this.#former.size === 0 ? this.#origin.all() : this.#merged();
  }

  *#merged(): Generator<T> {
    for (const object of this.#origin.all()) if (!this.#former.has(nameOf(object))) yield object;
    yield* this.#own.all();
  }

  byIndex(index: string, value: string): readonly T[] {
    const found = this.#origin.byIndex(index, value);
    if (this.#former.size === 0) return found;
    const unchanged = found.filter((object) => !this.#former.has(nameOf(object)));
    const own = this.#own.byIndex(index, value);
    return own.length === 0 ? unchanged : [...unchanged, ...own];
  }

  /** What is here was here before the fork, and is no news. */
  subscribe(listener: ChangeListener<T>, namespace?: string): () => void {
    return this.#listeners.add(listener, namespace);
  }

  onChange(listener: ChangeListener<T>): () => void {
    return this.#listeners.add(listener);
  }

  put(object: T): void {
    const { name, known } = this.#write(object);
    this.#own.put(name, object);
    const before = known?.metadata.uid === object.metadata.uid ? known : undefined;
    if (known !== undefined && before === undefined)
      this.#listeners.notify({ before: known, after: undefined, initial: false });
    this.#listeners.notify({ before, after: object, initial: false });
  }

  remove(object: T): void {
    const { name, known } = this.#write(object);
    if (known === undefined) return;
    this.#own.remove(name);
    this.#listeners.notify({ before: known, after: undefined, initial: false });
  }

  /** Whether an object of this name is another than it was, or gone. */
  isWritten(key: ObjectKey): boolean {
    const name = printKey(key);
    return this.#former.has(name) && this.#former.get(name) !== this.#own.get(name);
  }

  /** Everything that was written here, as it was and as it is; what came and went is no difference. */
  differences(): readonly Difference<T>[] {
    const differences: Difference<T>[] = [];
    for (const [name, before] of this.#former) {
      const after = this.#own.get(name);
      if (before !== after) differences.push({ before, after });
    }
    return differences;
  }

  /** Hears of its origin no more. */
  close(): void {
    this.#leave();
  }

  /** From now on the origin is not asked about this object, which was so. */
  #keep(name: string, was: T | undefined): void {
    if (this.#former.has(name)) return;
    this.#former.set(name, was);
    if (was !== undefined) this.#own.put(name, was);
  }

  /** Takes note that an object is about to become another, or none. */
  #write(object: T): { readonly name: string; readonly known: T | undefined } {
    const name = nameOf(object);
    if (this.#former.has(name)) return { name, known: this.#own.get(name) };
    const known = this.#origin.at(name);
    this.#former.set(name, known);
    return { name, known };
  }
}

/** As printKey prints it. */
function nameOf({ metadata: { namespace, name } }: ApiObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
