import type { ApiObject } from "#api/meta/object-meta.ts";
import type { IndexFunction } from "./informer.ts";

/** Objects by key, and by whatever else their readers look them up by. */
export class ObjectIndex<T extends ApiObject> {
  readonly #functions: Readonly<Record<string, IndexFunction<T>>>;
  readonly #objects = new Map<string, T>();
  /** index name → value → keys */
  readonly #indexes = new Map<string, Map<string, Set<string>>>();

  constructor(functions: Readonly<Record<string, IndexFunction<T>>>) {
    this.#functions = functions;
    for (const name of Object.keys(functions)) this.#indexes.set(name, new Map());
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
    const keys = this.#indexes.get(name)?.get(value);
    return keys === undefined ? [] : [...keys].map((key) => this.#objects.get(key)!);
  }

  put(key: string, object: T): void {
    this.remove(key);
    this.#objects.set(key, object);
    this.#each(object, (values, value) => {
      const keys = values.get(value);
      if (keys === undefined) values.set(value, new Set([key]));
      else keys.add(key);
    });
  }

  remove(key: string): void {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    this.#objects.delete(key);
    this.#each(object, (values, value) => {
      const keys = values.get(value);
      keys?.delete(key);
      if (keys?.size === 0) values.delete(value);
    });
  }

  #each(object: T, visit: (values: Map<string, Set<string>>, value: string) => void): void {
    for (const [name, valuesOf] of Object.entries(this.#functions)) {
      const values = this.#indexes.get(name)!;
      for (const value of valuesOf(object)) visit(values, value);
    }
  }
}
