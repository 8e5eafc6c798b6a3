import type { ApiObject } from "#api/meta/object-meta.ts";
import { TextGroups } from "#base/text-groups.ts";
import type { IndexFunction } from "./informer.ts";

/** Objects by key, and by whatever else their readers look them up by. */
export class ObjectIndex<T extends ApiObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes: readonly Index<T>[];

  constructor(functions: Readonly<Record<string, IndexFunction<T>>>) {
    this.#indexes = Object.entries(functions).map(([name, valuesOf]) => ({ name, valuesOf, keys: new TextGroups() }));
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
    const found: T[] = [];
    for (const key of this.#indexes.find((index) => index.name === name)?.keys.of(value) ?? [])
      found.push(this.#objects.get(key)!);
    return found;
  }

  put(key: string, object: T): void {
    const former = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const { valuesOf, keys } of this.#indexes) {
      const values = valuesOf(object);
      const before = former === undefined ? none : valuesOf(former);
      if (isSame(before, values)) continue;
      for (const value of before) keys.delete(value, key);
      for (const value of values) keys.add(value, key);
    }
  }

  remove(key: string): void {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    this.#objects.delete(key);
    for (const { valuesOf, keys } of this.#indexes) for (const value of valuesOf(object)) keys.delete(value, key);
  }
}

const none: readonly string[] = [];

interface Index<T extends ApiObject> {
  readonly name: string;
  readonly valuesOf: IndexFunction<T>;
  /** Of objects, by value. */
  readonly keys: TextGroups;
}

/** Most objects that change stay where they are. */
function isSame(before: readonly string[], values: readonly string[]): boolean {
  return before.length === values.length && values.every((value, index) => value === before[index]);
}
