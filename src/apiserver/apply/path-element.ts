import { printGoJson } from "#base/go-json.ts";
import { goQuote } from "#base/go-text.ts";
import { isJsonObject, RawNumber, setMember, stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";

/**
 * One step of a field path, in the form that FieldsV1 has on the wire:
 * - `f:<name>` a member of an object
 * - `k:{"name":"x"}` the element of a list with these keys, sorted
 * - `v:"x"` the element of a set with this value
 * - `i:0` an element by position; only read, never made
 *
 * The text is canonical, so that equal steps are equal strings.
 */
export type PathElement = string;

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(keys: Readonly<Record<string, unknown>>): PathElement {
  return `k:${printGoJson(keys)}`;
}

/** The same for one key: nearly always a text without anything to escape. */
export function soleKeyElement(key: string, value: unknown): PathElement {
  return isPlain(key) && isPlain(value) ? `k:{"${key}":"${value}"}` : keyElement({ [key]: value });
}

export function valueElement(value: unknown): PathElement {
  return isPlain(value) ? `v:"${value}"` : `v:${printGoJson(value)}`;
}

const plainText = /^[A-Za-z0-9_./:-]*$/;

function isPlain(value: unknown): value is string {
  return typeof value === "string" && plainText.test(value);
}

/** A step as a client sent it, made canonical; undefined for one that means nothing to us. */
export function readPathElement(text: string): PathElement | undefined {
  switch (text.slice(0, 2)) {
    case "f:":
      return text;
    case "i:":
      return /^i:[0-9]+$/.test(text) ? text : undefined;
    case "k:":
      return simpleKey.test(text) ? text : readJsonElement(text, isJsonObject);
    case "v:":
      return readJsonElement(text, () => true);
    default:
      return undefined;
  }
}

/** One key, nothing to escape: by far the most frequent, and canonical as it is. */
const simpleKey = /^k:\{"[A-Za-z]+":"[A-Za-z0-9_./:-]*"\}$/;

function readJsonElement(text: string, isValid: (value: unknown) => boolean): PathElement | undefined {
  try {
    const { value } = parseJson(text.slice(2));
    if (!isValid(value)) return undefined;
    return text.slice(0, 2) + printGoJson(isJsonObject(value) ? sortedMembers(value) : value);
  } catch {
    // Not JSON: no step that we could have made.
    return undefined;
  }
}

function sortedMembers(object: object): Record<string, unknown> {
  const sorted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))) setMember(sorted, key, value);
  return sorted;
}

/** The order in which a set is printed: members, then list elements by key, by value, by position. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = a.charCodeAt(0);
  const otherKind = b.charCodeAt(0);
  if (kind !== otherKind) return kindOrder.indexOf(a.charAt(0)) - kindOrder.indexOf(b.charAt(0));
  if (kind === fieldKind) return a < b ? -1 : 1;
  return compareValues(contentOf(a), contentOf(b));
}

const kindOrder = ".fkvi";
const fieldKind = "f".charCodeAt(0);

/** As users read a path: `.spec.containers[name="web"].image`. */
export function describePath(path: readonly PathElement[]): string {
  return path.map(describeElement).join("");
}

function describeElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case "f":
      return `.${content}`;
    case "i":
      return `[${content}]`;
    case "v":
      return `[=${keyText(contentOf(element))}]`;
    default: {
      // Made by keyElement or readPathElement: an object.
      const keys = Object.entries(contentOf(element) as object);
      return `[${keys.map(([key, value]) => `${key}=${keyText(value)}`).join(",")}]`;
    }
  }
}

/** A value as structured-merge-diff prints it: an object without its braces. */
function keyText(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(keyText).join(",")}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  return Object.entries(value)
    .map(([key, child]) => `${key}=${keyText(child)}`)
    .join("");
}

function contentOf(element: PathElement): unknown {
  return parseJson(element.slice(2)).value;
}

function compareValues(a: unknown, b: unknown): number {
  const rank = valueRank(a) - valueRank(b);
  if (rank !== 0) return rank;
  if (isJsonObject(a) && isJsonObject(b)) return compareMembers(a, b);
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return Number(a) - Number(b);
}

function compareMembers(a: object, b: object): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (const [index, [key, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (key !== other[0]) return key < other[0] ? -1 : 1;
    const order = compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function valueRank(value: unknown): number {
  if (typeof value === "number" || value instanceof RawNumber) return 0;
  if (typeof value === "string") return 1;
  return typeof value === "boolean" ? 2 : 3;
}
