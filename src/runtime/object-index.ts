import type { ApiObject } from "#api/meta/object-meta.ts";
import type { IndexFunction } from "./informer.ts";

/** Objects by key, and by whatever else their readers look them up by. */
export class ObjectIndex<T extends ApiObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes: readonly Index<T>[];

  constructor(functions: Readonly<Record<string, IndexFunction<T>>>) {
    this.#indexes = Object.entries(functions).map(([name, valuesOf]) => ({ name, valuesOf, keys: new Map() }));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  all(): Iterable<T> {
    return this.#objects.values();
  }

  byIndex(name: string, value: string): readonly T[] {
    const keys = this.#indexes.find((index) => index.name === name)?.keys.get(value);
    return keys === undefined ? [] : [...keys].map((key) => this.#objects.get(key)!);
  }

  put(key: string, object: T): void {
    const former = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const { valuesOf, keys } of this.#indexes) {
      const values = valuesOf(object);
      const before = former === undefined ? [] : valuesOf(former);
      if (isSame(before, values)) continue;
      leave(keys, key, before);
      enter(keys, key, values);
    }
  }

  remove(key: string): void {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    this.#objects.delete(key);
    for (const { valuesOf, keys } of this.#indexes) leave(keys, key, valuesOf(object));
  }
}

type KeysByValue = Map<string, Set<string>>;

interface Index<T extends ApiObject> {
  readonly name: string;
  readonly valuesOf: IndexFunction<T>;
  readonly keys: KeysByValue;
}

/** Most objects that change stay where they are. */
function isSame(before: readonly string[], values: readonly string[]): boolean {
  return before.length === values.length && values.every((value, index) => value === before[index]);
}

function enter(index: KeysByValue, key: string, values: readonly string[]): void {
  for (const value of values) {
    const keys = index.get(value);
    if (keys === undefined) index.set(value, new Set([key]));
    else keys.add(key);
  }
}

function leave(index: KeysByValue, key: string, values: readonly string[]): void {
  for (const value of values) {
    const keys = index.get(value);
    keys?.delete(key);
    if (keys?.size === 0) index.delete(value);
  }
}
