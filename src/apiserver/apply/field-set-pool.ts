import type { ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import { isJsonObject, type JsonObject, jsonEquals, setMember } from "#base/json.ts";
import { someUid } from "./owned-sets.ts";

/** Enough for every kind and every manager of a busy server; more would be kept for nobody. */
const limit = 20_000;
/** What owns an object by its uid is that object's alone: nobody will ask for such a set again, only for its parts. */
const owner = '"k:{\\"uid\\"';

/** A set that is about an owner: its uid, and the set with the uid that stands for any instead. */
export interface OwnedSet {
  readonly uid: string;
  readonly like: JsonObject;
}

/**
 * One copy of every set of owned fields. Thousands of objects of a kind that one manager wrote own the same fields, or all but a few, and a
 * set takes more room than what it is about. Sets are never changed, so that objects may share them, whole or in parts.
 */
export class FieldSetPool {
  readonly #sets = new Map<string, JsonObject>();
  readonly #shared = new WeakSet<JsonObject>();
  readonly #owned = new WeakMap<JsonObject, OwnedSet>();
  /** What each writer wrote last: the next object often owns the same. */
  readonly #last = new Map<string, JsonObject>();

  /** The entries with sets that are shared with all others that are equal. */
  shared(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
    return entries.map((entry) => {
      const { fieldsV1 } = entry;
      if (!isJsonObject(fieldsV1) || this.#shared.has(fieldsV1)) return entry;
      const known = this.#likeTheLast(entry, fieldsV1) ?? this.pooled(fieldsV1);
      if (this.#last.size >= limit) this.#last.clear();
      this.#last.set(writerOf(entry), known);
      return known === fieldsV1 ? entry : { ...entry, fieldsV1: known };
    });
  }

  /** The set that all equal ones share. */
  pooled(fields: JsonObject): JsonObject {
    const known = this.#known(fields);
    this.#shared.add(known);
    return known;
  }

  /** A set that is one object's alone, made of parts that are shared: there is nothing to look for. */
  adopt(set: JsonObject, owned: OwnedSet): void {
    this.#shared.add(set);
    this.#owned.set(set, owned);
  }

  /** What a set that is about an owner has in common with those about others, where that is known. */
  ownedSet(set: JsonObject): OwnedSet | undefined {
    return this.#owned.get(set);
  }

  /** Takes note of that. */
  noteOwned(set: JsonObject, owned: OwnedSet): void {
    this.#owned.set(set, owned);
  }

  /** A look at one set is quicker than a search among all. */
  #likeTheLast(entry: ManagedFieldsEntry, fields: JsonObject): JsonObject | undefined {
    const last = this.#last.get(writerOf(entry));
    return last !== undefined && jsonEquals(last, fields) ? last : undefined;
  }

  #known(fields: JsonObject): JsonObject {
    const text = JSON.stringify(fields);
    const known = this.#sets.get(text);
    if (known !== undefined) return known;
    const set = this.#ofKnownParts(fields);
    if (text.includes(owner) && !text.includes(someUid)) return set;
    if (this.#sets.size >= limit) this.#sets.clear();
    this.#sets.set(text, set);
    return set;
  }

  #ofKnownParts(fields: JsonObject): JsonObject {
    const set: Record<string, JsonObject[string]> = {};
    for (const key in fields) {
      const part = fields[key]!;
      setMember(set, key, isJsonObject(part) ? this.#known(part) : part);
    }
    return set;
  }
}

function writerOf({ manager, operation, apiVersion, subresource = "" }: ManagedFieldsEntry): string {
  return `${manager} ${operation} ${apiVersion} ${subresource}`;
}
