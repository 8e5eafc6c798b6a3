import { isJsonObject, type JsonObject, setMember } from "#base/json.ts";
import type { FieldSetPool } from "./field-set-pool.ts";
import { someUid } from "./owned-sets.ts";

/** Enough for every kind and every manager of a busy server. */
const limit = 20_000;

/**
 * Sets of owned fields as short texts, both ways, each set printed and read once however many objects have it. Quotes are written as
 * apostrophes, where there are none in it: the text stands within a text, and would be full of backslashes.
 */
export class FieldSetTexts {
  readonly #pool: Pick<FieldSetPool, "pooled">;
  readonly #texts = new WeakMap<JsonObject, string>();
  readonly #sets = new Map<string, JsonObject>();
  /** Parts of sets that have been looked through. */
  readonly #withoutUid = new WeakSet<JsonObject>();

  constructor(pool: Pick<FieldSetPool, "pooled">) {
    this.#pool = pool;
  }

  textOf(set: JsonObject): string {
    const known = this.#texts.get(set);
    if (known !== undefined) return known;
    const plain = JSON.stringify(set);
    const text = plain.includes("'") ? plain : plain.replaceAll('"', "'");
    this.#texts.set(set, text);
    return text;
  }

  /** Throws when the text is none of a set. */
  setOf(text: string): JsonObject {
    const uid = ownerUidIn(text);
    if (uid === undefined || text.includes(someUid)) return this.#known(text);
    const like = this.#known(text.replaceAll(uid, someUid));
    const set = this.withUid(like, uid);
    this.#texts.set(set, text);
    return set;
  }

  /** The set that is about some uid, about another one; parts that name none stay shared. */
  withUid(set: JsonObject, uid: string): JsonObject {
    if (this.#withoutUid.has(set)) return set;
    const copy: Record<string, JsonObject[string]> = {};
    let names = false;
    for (const key in set) {
      const part = set[key]!;
      const ownKey = key.includes(someUid) ? key.replaceAll(someUid, uid) : key;
      const ownPart = isJsonObject(part) ? this.withUid(part, uid) : part;
      setMember(copy, ownKey, ownPart);
      names ||= ownKey !== key || ownPart !== part;
    }
    if (names) return copy;
    this.#withoutUid.add(set);
    return set;
  }

  #known(text: string): JsonObject {
    const known = this.#sets.get(text);
    if (known !== undefined) return known;
    const parsed: unknown = JSON.parse(text.startsWith("{'") ? text.replaceAll("'", '"') : text);
    if (!isJsonObject(parsed)) throw new SyntaxError("not a set of fields");
    const set = this.#pool.pooled(parsed);
    if (this.#sets.size >= limit) this.#sets.clear();
    this.#sets.set(text, set);
    return set;
  }
}

/** What is owned by a uid is one object's alone; but for the uid it is like thousands of others. */
const ownerIn = /k:\{\\['"]uid\\['"]:\\['"]([0-9a-f-]{36})\\['"]/;
/** The uid of the first owner that a set, as a text, is about. */
export function ownerUidIn(text: string): string | undefined {
  const found = ownerIn.exec(text)?.[1];
  return found === undefined ? undefined : Buffer.from(found, "latin1").toString("latin1"); // a slice would keep the whole text
}
