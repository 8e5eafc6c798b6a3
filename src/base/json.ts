/**
 * JSON as Kubernetes objects need it: what a client wrote reaches a member unchanged.
 *
 * A JavaScript number cannot hold every JSON number, so a token that would not print back as it was written
 * (`9007199254740993`, `1.0`, `1e3`, `-0`) is kept as a RawNumber. Everything that walks JSON treats it as a leaf.
 */
import { countKeys, roomFor } from "./roomy-object.ts";

export type Json = string | number | boolean | null | RawNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A number whose exact spelling matters. */
export class RawNumber {
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  valueOf(): number {
    return Number(this.token);
  }

  /** Two lone surrogates around the token: no parsed string can hold one (see parseJson), so stringifyJson finds them safely. */
  toJSON(): string {
    return `${mark}${this.token}${mark}`;
  }
}

const mark = "\ud800";
/** Without the quote before it, at which a search would stop again and again. */
const printedMark = "\\ud800";
const printedNumber = /"\\ud800([-+.0-9eE]+)\\ud800"/g;

/** Whether a number token is spelled as an integer that Go's int64 holds. */
export function isInt64(token: string): boolean {
  if (!/^-?[0-9]+$/.test(token)) return false;
  const value = BigInt(token);
  return value >= -(2n ** 63n) && value < 2n ** 63n;
}

/** The text of a value; raw numbers as they were written. Undefined members are left out, as JSON.stringify does. */
export function stringifyJson(value: unknown, { indent = 0 }: { readonly indent?: number } = {}): string {
  const text = JSON.stringify(value, null, indent);
  return hasRawNumbers(text) ? restoreRawNumbers(text) : text;
}

/** What JSON writes otherwise than it is. */
const delicate = /["\\\u0000-\u001f\ud800-\udfff]/;

/** As JSON.stringify does, at a fraction of its cost for the short and plain texts that nearly all are. */
export function quoted(text: string): string {
  return delicate.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Whether JSON.stringify met raw numbers; its text has to be restored then. */
export function hasRawNumbers(text: string): boolean {
  return text.includes(printedMark);
}

/** Puts raw numbers into what JSON.stringify printed. */
export function restoreRawNumbers(text: string): string {
  return text.replaceAll(printedNumber, "$1");
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof RawNumber);
}

/** Structural equality; key order does not matter, array order does. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof RawNumber || b instanceof RawNumber) {
    return a instanceof RawNumber && b instanceof RawNumber && a.token === b.token;
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!jsonEquals(a[index], b[index])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  let members = 0;
  for (const key in a) {
    const value = (a as Record<string, unknown>)[key];
    if (value === undefined) continue;
    members++;
    const other = member(b, key);
    if (value !== other && !jsonEquals(value, other)) return false;
  }
  return members === countMembers(b);
}

/** How many members an object has that are not undefined. */
function countMembers(object: object): number {
  let members = 0;
  for (const key in object) if ((object as Record<string, unknown>)[key] !== undefined) members++;
  return members;
}

/** As jsonEquals, but for some members of the two objects themselves. */
export function jsonEqualsBut(a: object, b: object, ignored: ReadonlySet<string>): boolean {
  let members = 0;
  for (const key in a) {
    const value = (a as Record<string, unknown>)[key];
    if (value === undefined || ignored.has(key)) continue;
    members++;
    const other = member(b, key);
    if (value !== other && !jsonEquals(value, other)) return false;
  }
  for (const key in b) if (!ignored.has(key) && (b as Record<string, unknown>)[key] !== undefined) members--;
  return members === 0;
}

/**
 * A deep copy that may be changed freely, but for parts that nobody changes and that are shared. Raw numbers are immutable and shared, too;
 * undefined members are left out, as in JSON.
 */
export function cloneJson<T>(value: T, isShared?: (part: object) => boolean): T {
  return cloneAny(value, isShared) as T;
}

function cloneAny(value: unknown, isShared: ((part: object) => boolean) | undefined): unknown {
  if (typeof value !== "object" || value === null || value instanceof RawNumber) return value;
  if (Array.isArray(value)) return value.map((item) => cloneAny(item, isShared));
  if (isShared?.(value)) return value;
  const source = value as Record<string, unknown>;
  const copy = roomFor(countKeys(source));
  for (const key in source) {
    const member = source[key];
    if (member !== undefined) setMember(copy, key, cloneAny(member, isShared));
  }
  return copy;
}

/**
 * One object with the members of all; later ones win. For what is kept in great numbers: V8 gives every `{ ...a, b }` a hidden class of its
 * own, which takes more room than the object; of these, equal ones share theirs.
 */
export function mergeMembers<T>(...sources: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> {
  let members = 0;
  for (const source of sources) if (source !== undefined) members += countKeys(source);
  const merged = roomFor<T>(members);
  for (const source of sources) for (const key in source) setMember(merged, key, source[key]);
  return merged;
}

/** A copy of an object without some of its members; equal ones share their hidden class, which deleting from a copy would cost them. */
export function membersBut<T extends object>(object: T, ignored: ReadonlySet<string>): T {
  let members = 0;
  for (const key in object) if (!ignored.has(key)) members++;
  const kept = roomFor(members);
  for (const key in object) if (!ignored.has(key)) setMember(kept, key, object[key]);
  return kept as T; // whoever leaves out what is not optional knows
}

/** Sets an own member whatever its name: an assignment to `__proto__` would change the prototype instead. */
export function setMember(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") {
    (target as Record<string, unknown>)[key] = value;
    return;
  }
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** An own member, never one of Object.prototype's: those are functions, but for one. One look tells nearly always. */
export function member(target: object, key: string): unknown {
  const value = (target as Record<string, unknown>)[key];
  if (typeof value !== "function" && key !== "__proto__") return value;
  return Object.hasOwn(target, key) ? value : undefined;
}
