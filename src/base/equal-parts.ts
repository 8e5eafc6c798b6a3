import { isJsonObject, RawNumber, setMember } from "./json.ts";
import { countKeys, roomFor } from "./roomy-object.ts";

/** As many parts are remembered, and as many that were met before them. */
const remembered = 4_000;
/** And none that is larger, in characters and members: what somebody sends must not be held for long after it has gone. */
const largest = 4_000;
/** Texts that differ only after so many characters are mistaken for each other until they are compared. */
const longest = 128;

/**
 * Finds parts of values that are equal to parts of values met lately, and gives out those: what many objects say alike takes room once.
 * Nobody may change what was given in or out.
 */
export class EqualParts {
  readonly #onNew: (part: object) => void;
  /** By a number that equal parts have in common. */
  #recent = new Map<number, object>();
  #earlier = new Map<number, object>();
  /** The number of the part that was looked at last, and how large it is. */
  #mark = 0;
  #size = 0;

  constructor({ onNew = () => {} }: { readonly onNew?: (part: object) => void } = {}) {
    this.#onNew = onNew;
  }

  /** A value like the given one, of parts that are known already where there are such. */
  shared<T>(value: T): T {
    return this.#shared(value) as T; // equal to it
  }

  #shared(value: unknown): unknown {
    if (Array.isArray(value)) return this.#sharedList(value);
    if (isJsonObject(value)) return this.#sharedObject(value);
    this.#mark = markOf(value);
    this.#size = typeof value === "string" ? value.length : 1;
    return value;
  }

  #sharedList(list: readonly unknown[]): object {
    let mark = list.length;
    let size = 1;
    let isOwn = true;
    const parts = list.map((item) => {
      const part = this.#shared(item);
      if (part !== item) isOwn = false;
      mark = mixed(mark, this.#mark);
      size += this.#size;
      return part;
    });
    return this.#known(isOwn ? list : parts, mark, size);
  }

  #sharedObject(object: Record<string, unknown>): object {
    let mark = -1;
    let size = 1;
    let parts: Record<string, unknown> | undefined;
    for (const key in object) {
      const item = object[key];
      const part = this.#shared(item);
      mark = mixed(mixed(mark, key.length), this.#mark);
      size += key.length + this.#size;
      if (part !== item) parts ??= copyOf(object);
      if (parts !== undefined) setMember(parts, key, part);
    }
    return this.#known(parts ?? object, mark, size);
  }

  /** Its parts are shared already: it is equal to what has the very same. */
  #known(part: object, mark: number, size: number): object {
    this.#mark = mark;
    this.#size = size;
    if (size > largest) return part;
    const known = this.#recent.get(mark) ?? this.#earlier.get(mark);
    if (known === part) return part;
    const isSame = known !== undefined && hasSameMembers(known, part);
    const kept = isSame ? known : part;
    if (!isSame) this.#onNew(part);
    if (this.#recent.size >= remembered) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(mark, kept);
    return kept;
  }
}

function copyOf(object: Record<string, unknown>): Record<string, unknown> {
  const copy = roomFor(countKeys(object));
  for (const key in object) setMember(copy, key, object[key]);
  return copy;
}

function hasSameMembers(a: object, b: object): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(b);
  let members = 0;
  for (const key in a)
    if (key !== keys[members++] || !isSame(a[key as keyof object], b[key as keyof object])) return false;
  return members === keys.length;
}

/** What prints differently is not the same. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b && (a !== 0 || Object.is(a, b));
}

/** Equal leaves have equal marks; most others have not. */
function markOf(leaf: unknown): number {
  if (typeof leaf === "number") return leaf | 0;
  if (typeof leaf !== "string") return leaf === true ? 1 : leaf instanceof RawNumber ? leaf.token.length : 0;
  let mark = leaf.length;
  for (let at = Math.min(leaf.length, longest) - 1; at >= 0; at--) mark = mixed(mark, leaf.charCodeAt(at));
  return mark;
}

function mixed(mark: number, more: number): number {
  return (Math.imul(mark, 31) + more) | 0;
}
