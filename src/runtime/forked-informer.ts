import type { ApiObject } from "#api/meta/object-meta.ts";
import { type ObjectKey, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import { TextGroups } from "#base/text-groups.ts";
import { ChangeListeners } from "./change-listeners.ts";
import type { ChangeListener, IndexFunction, Informer } from "./informer.ts";

/** What became of one object in a fork. */
export interface Difference<T extends ApiObject> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** An object about which the origin is not asked any more. */
interface Own<T> {
  /** What the origin had at the moment of the fork. */
  readonly was: T | undefined;
  now: T | undefined;
}

/**
 * The state of another informer at one moment, to be changed without the other's knowledge. It costs what differs: nothing is copied,
 * what changes there afterwards is remembered here as it was.
 */
export class ForkedInformer<T extends ApiObject> implements Informer<T> {
  readonly resource: ResourceId;
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
  readonly #origin: Informer<T>;
  readonly #own = new Map<string, Own<T>>();
  /** Of what is our own, by name; made when somebody asks, which many forks never are. */
  readonly #indexes = new Map<string, OwnIndex<T>>();
  readonly #listeners = new ChangeListeners<T>();
  readonly #leave: () => void;

  constructor(origin: Informer<T>) {
    this.#origin = origin;
    this.resource = origin.resource;
    this.indexes = origin.indexes;
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
    const own = this.#own.get(key);
    return own === undefined ? this.#origin.at(key) : own.now;
  }

  all(): Iterable<T> {
    return this.#own.size === 0 ? this.#origin.all() : this.#merged();
  }

  select(isWanted: (object: T) => boolean): readonly T[] {
    const found = this.#origin.select(isWanted).filter((object) => !this.#own.has(nameOf(object)));
    for (const { now } of this.#own.values()) if (now !== undefined && isWanted(now)) found.push(now);
    return found;
  }

  *#merged(): Generator<T> {
    for (const object of this.#origin.all()) if (!this.#own.has(nameOf(object))) yield object;
    for (const { now } of this.#own.values()) if (now !== undefined) yield now;
  }

  byIndex(index: string, value: string): readonly T[] {
    const found = this.#origin.byIndex(index, value);
    if (this.#own.size === 0) return found;
    const isOwn = (object: T) => this.#own.has(nameOf(object));
    const all = found.some(isOwn) ? found.filter((object) => !isOwn(object)) : found;
    const own = this.#index(index)?.names;
    if (own === undefined || !own.has(value)) return all;
    return [...all, ...Array.from(own.of(value), (name) => this.#own.get(name)!.now!)];
  }

  /** What is here was here before the fork, and is no news. */
  subscribe(listener: ChangeListener<T>, namespace?: string): () => void {
    return this.#listeners.add(listener, namespace);
  }

  onChange(listener: ChangeListener<T>): () => void {
    return this.#listeners.add(listener);
  }

  put(object: T): void {
    const known = this.#write(object, object);
    const before = known?.metadata.uid === object.metadata.uid ? known : undefined;
    if (known !== undefined && before === undefined)
      this.#listeners.notify({ before: known, after: undefined, initial: false });
    this.#listeners.notify({ before, after: object, initial: false });
  }

  remove(object: T): void {
    const known = this.#write(object, undefined);
    if (known !== undefined) this.#listeners.notify({ before: known, after: undefined, initial: false });
  }

  /** Whether an object of this name is another than it was, or gone. */
  isWritten(key: ObjectKey): boolean {
    const own = this.#own.get(printKey(key));
    return own !== undefined && own.was !== own.now;
  }

  /** Tells of everything that was written here, as it was and as it is; what came and went is no difference. */
  eachDifference(tell: (before: T | undefined, after: T | undefined) => void): void {
    for (const { was, now } of this.#own.values()) if (was !== now) tell(was, now);
  }

  /** Hears of its origin no more. */
  close(): void {
    this.#leave();
  }

  /** From now on the origin is not asked about this object, which was so. */
  #keep(name: string, was: T | undefined): void {
    if (this.#own.has(name)) return;
    this.#own.set(name, { was, now: was });
    for (const index of this.#indexes.values()) putIn(index, name, was);
  }

  /** Has an object become another, or none; what it was until now. */
  #write({ metadata }: T, now: T | undefined): T | undefined {
    const name = printKey(metadata);
    const own = this.#own.get(name);
    const known = own === undefined ? this.#origin.at(name) : own.now;
    if (own === undefined) this.#own.set(name, { was: known, now });
    else own.now = now;
    for (const index of this.#indexes.values()) putIn(index, name, now, own === undefined ? undefined : known);
    return known;
  }

  #index(name: string): OwnIndex<T> | undefined {
    const known = this.#indexes.get(name);
    const valuesOf = this.indexes[name];
    if (known !== undefined || valuesOf === undefined) return known;
    const made: OwnIndex<T> = { valuesOf, names: new TextGroups() };
    for (const [key, { now }] of this.#own) putIn(made, key, now);
    this.#indexes.set(name, made);
    return made;
  }
}

/** The names of objects, by value. */
interface OwnIndex<T extends ApiObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly names: TextGroups;
}

/** Puts an object where it belongs, and no longer where its former self did, if that was here. */
function putIn<T extends ApiObject>(
  { valuesOf, names }: OwnIndex<T>,
  name: string,
  now: T | undefined,
  former?: T,
): void {
  const before = former === undefined ? [] : valuesOf(former);
  const values = now === undefined ? [] : valuesOf(now);
  if (before.length === values.length && values.every((value, index) => value === before[index])) return;
  for (const value of before) names.delete(value, name);
  for (const value of values) names.add(value, name);
}

/** As printKey prints it. */
function nameOf({ metadata: { namespace, name } }: ApiObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
