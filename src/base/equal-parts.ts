import { isJsonObject, RawNumber, setMember } from "./json.ts";
import { begins, markOf, mixed } from "./leaf-mark.ts";
import { MetLately } from "./met-lately.ts";
import { countKeys, roomFor } from "./roomy-object.ts";

/** No part is remembered that is larger, in characters and members: what somebody sends must not be held for long after it has gone. */
const largest = 4_000;
/** Of what was read, smaller parts are not looked for by themselves: that takes longer than what they are part of. */
const smallest = 32;
/** Shorter values are one text to V8 when it reads JSON. */
const shortest = 10;
export interface EqualPartsOptions {
  /** Told of every part that is given out for the first time. */
  readonly onNew?: (part: object) => void;
  /** How many parts are remembered, and as many that were met before them. */
  readonly remembered?: number;
  /** Whether values were just read and nobody else has them: they may be changed in place then, and their texts, each one of its own, are shared, too. */
  readonly areOwn?: boolean;
}

/**
 * Finds parts of values that are equal to parts of values met lately, and gives out those: what many objects say alike takes room once.
 * Nobody else may change what was given in or out.
 */
export class EqualParts {
  readonly #onNew: (part: object) => void;
  readonly #areOwn: boolean;
  readonly #texts: MetLately<string, string>;
  /** By a number that equal parts have in common. */
  readonly #parts: MetLately<number, object>;
  /** The number of the part that was looked at last, and how large it is. */
  #mark = 0;
  #size = 0;

  constructor({ onNew = () => {}, remembered = 4_000, areOwn = false }: EqualPartsOptions = {}) {
    this.#onNew = onNew;
    this.#texts = new MetLately(remembered);
    this.#parts = new MetLately(remembered);
    this.#areOwn = areOwn;
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

  /** A text like the given one that was met before, where there was one; short ones are shared by the engine. */
  text(text: string): string {
    if (text.length <= shortest || text.length > largest) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }

  /** The part that was given out for values like this one, if it is remembered: nobody has to go through this one further. Nothing is kept of it. */
  find(value: object): object | undefined {
    const mark = markOfAll(value);
    const known = this.#parts.get(mark);
    return known !== undefined && printsAlike(known, value) ? known : undefined;
  }

  #sharedList(list: readonly unknown[]): object {
    let mark = mixed(begins.list, list.length);
    let size = 1;
    let parts: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      const part = this.#shared(item);
      mark = mixed(mark, this.#mark);
      size += this.#size;
      if (part === item) continue;
      parts ??= this.#areOwn ? (list as unknown[]) : [...list];
      parts[index] = part;
    }
    return this.#known(parts ?? list, mark, size);
  }

  #sharedObject(object: Record<string, unknown>): object {
    let mark = begins.object;
    let size = 1;
    let parts: Record<string, unknown> | undefined;
    for (const key in object) {
      const item = object[key];
      const part = this.#shared(item);
      mark = mixed(mixed(mark, markOfKey(key)), this.#mark);
      size += key.length + this.#size;
      if (part === item) continue;
      parts ??= this.#areOwn ? object : copyOf(object);
      setMember(parts, key, part);
    }
    return this.#known(parts ?? object, mark, size);
  }

  /** Its parts are shared already: it is equal to what has the very same. */
  #known(part: object, mark: number, size: number): object {
    this.#mark = mark;
    this.#size = size;
    if (this.#areOwn && size < smallest) return part;
    const known = size > largest ? undefined : this.#parts.get(mark);
    if (known === part) return part;
    if (known !== undefined && printsAlike(known, part)) return known;
    if (this.#areOwn) this.#shareTexts(part as Record<string, unknown>); // or a list: members all the same
    if (size > largest) return part;
    this.#onNew(part);
    this.#parts.set(mark, part);
    return part;
  }

  /** Only in what is new: whatever was known has its texts. */
  #shareTexts(part: Record<string, unknown>): void {
    for (const key in part) {
      const item = part[key];
      if (typeof item === "string" && item.length > shortest) setMember(part, key, this.text(item));
    }
  }
}

function copyOf(object: Record<string, unknown>): Record<string, unknown> {
  const copy = roomFor(countKeys(object));
  for (const key in object) setMember(copy, key, object[key]);
  return copy;
}

/** Whether a value prints as a part does that was given out: the same members in the same order, all the way down. */
function printsAlike(part: unknown, value: unknown): boolean {
  if (part === value && part !== 0) return true;
  if (typeof part !== "object" || typeof value !== "object" || part === null || value === null)
    return isSame(part, value);
  if (part instanceof RawNumber || value instanceof RawNumber) return false; // hardly any status has one
  if (Array.isArray(part) || Array.isArray(value))
    return (
      Array.isArray(part) &&
      Array.isArray(value) &&
      part.length === value.length &&
      part.every((item, index) => printsAlike(item, value[index]))
    );
  const keys = Object.keys(part);
  let members = 0;
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    if (key !== keys[members++] || !printsAlike((part as Record<string, unknown>)[key], item)) return false;
  }
  return members === keys.length;
}

/** What prints differently is not the same. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b && (a !== 0 || Object.is(a, b));
}

/** The mark of a value as if it were shared; members that are not printed do not count. */
function markOfAll(value: unknown): number {
  if (Array.isArray(value)) {
    let mark = mixed(begins.list, value.length);
    for (const item of value) mark = mixed(mark, markOfAll(item));
    return mark;
  }
  if (!isJsonObject(value)) return markOf(value);
  let mark = begins.object;
  for (const key in value) {
    const item = value[key];
    if (item !== undefined) mark = mixed(mixed(mark, markOfKey(key)), markOfAll(item));
  }
  return mark;
}

/** Keys of a kind are few, and what is found is compared: a glance is enough. */
function markOfKey(key: string): number {
  return mixed(mixed(key.length, key.charCodeAt(0) | 0), key.charCodeAt(key.length - 1) | 0);
}
