import type { ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";

/** Enough for every kind and every manager of a busy server; more would be kept for nobody. */
const limit = 20_000;

/**
 * One copy of every set of owned fields. Thousands of objects of a kind that one manager wrote own the same fields, and a set takes more
 * room than what it is about. Sets are never changed, so that objects may share them.
 */
export class FieldSetPool {
  readonly #sets = new Map<string, JsonObject>();
  readonly #shared = new WeakSet<JsonObject>();

  /** The entries with sets that are shared with all others that are equal. */
  shared(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
    return entries.map((entry) => {
      const { fieldsV1 } = entry;
      if (!isJsonObject(fieldsV1) || this.#shared.has(fieldsV1)) return entry;
      const known = this.#known(fieldsV1);
      return known === fieldsV1 ? entry : { ...entry, fieldsV1: known };
    });
  }

  #known(fields: JsonObject): JsonObject {
    const text = JSON.stringify(fields);
    const known = this.#sets.get(text);
    if (known !== undefined) return known;
    if (this.#sets.size >= limit) this.#sets.clear();
    this.#sets.set(text, fields);
    this.#shared.add(fields);
    return fields;
  }
}
