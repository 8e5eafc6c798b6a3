import { byteLength } from "./byte-length.ts";
import { isJsonObject, RawNumber } from "./json.ts";
import { escapeText, textStyle } from "./yaml-text.ts";

/** Longer lines are folded at the next single blank, where the style allows it. */
const bestWidth = 80;
const step = 2;

/** A JSON value as YAML, byte for byte as Go's printer writes it for Kubernetes; keys sorted if asked for. */
export function printYaml(value: unknown, { sortKeys = false }: { readonly sortKeys?: boolean } = {}): string {
  const printer = new Printer(sortKeys);
  printer.value(value, { indent: 0, fresh: true });
  return `${printer.text}\n`;
}

/** Where a value stands: the indentation of its collection, and whether the line is still empty but for it. */
interface Place {
  readonly indent: number;
  readonly fresh: boolean;
}

class Printer {
  text = "";
  #lineStart = 0;
  readonly #sortKeys: boolean;

  constructor(sortKeys: boolean) {
    this.#sortKeys = sortKeys;
  }

  value(value: unknown, place: Place): void {
    if (Array.isArray(value) && value.length > 0) this.#list(value, place);
    else if (isJsonObject(value) && hasMembers(value)) this.#object(value, place);
    else if (typeof value === "string") this.#string(value, place.indent);
    else this.text += inline(value);
  }

  #list(items: readonly unknown[], { indent, fresh }: Place): void {
    items.forEach((item, index) => {
      if (index > 0 || !fresh) this.#newLine(indent);
      this.text += "- ";
      // the first member of a collection stands on the line of its dash
      this.value(item, { indent: indent + step, fresh: true });
    });
  }

  #object(object: object, { indent, fresh }: Place): void {
    const members = Object.entries(object).filter(([, member]) => member !== undefined);
    if (this.#sortKeys) members.sort(([a], [b]) => compareKeys(a, b));
    members.forEach(([key, member], index) => {
      if (index > 0 || !fresh) this.#newLine(indent);
      if (isSimpleKey(key)) {
        this.#key(key);
        this.text += ":";
        this.#member(member, indent);
      } else this.#complexMember(key, { member, indent });
    });
  }

  /** A list stands at the indentation of its key, everything else deeper. */
  #member(member: unknown, indent: number): void {
    if (Array.isArray(member) && member.length > 0) this.#list(member, { indent, fresh: false });
    else if (isJsonObject(member) && hasMembers(member)) this.#object(member, { indent: indent + step, fresh: false });
    else {
      this.text += " ";
      this.value(member, { indent: indent + step, fresh: false });
    }
  }

  /** A key of several lines, or a very long one, and its value stand under marks of their own. */
  #complexMember(key: string, { member, indent }: { readonly member: unknown; readonly indent: number }): void {
    this.text += "? ";
    this.value(key, { indent: indent + step, fresh: true });
    this.#newLine(indent);
    this.text += ": ";
    this.value(member, { indent: indent + step, fresh: true });
  }

  #key(key: string): void {
    const style = textStyle(key, { key: true });
    if (style === "plain") this.text += key;
    else this.text += style === "single" ? `'${key.replaceAll("'", "''")}'` : `"${escapeText(key)}"`;
  }

  #string(text: string, indent: number): void {
    const style = textStyle(text, { key: false });
    if (style === "block") return this.#block(text, indent);
    const quote = style === "plain" ? "" : style === "single" ? "'" : '"';
    this.text += quote;
    this.#folded(text, { indent, style });
    this.text += quote;
  }

  /** The text, broken at single blanks once the line is long; Go's reader puts them back. */
  #folded(text: string, { indent, style }: { readonly indent: number; readonly style: "plain" | "single" | "double" }) {
    const characters = Array.from(text);
    let afterBlank = false;
    characters.forEach((character, index) => {
      const blank = character === " ";
      const edge = style !== "plain" && (index === 0 || index === characters.length - 1);
      const long = this.#column() > bestWidth && blank && !afterBlank && !edge;
      const twoBlanks = characters[index + 1] === " ";
      if (long && (style === "double" || !twoBlanks)) {
        this.#newLine(indent);
        if (twoBlanks) this.text += "\\";
      } else if (style === "single") this.text += character === "'" ? "''" : character;
      else this.text += style === "double" ? escapeText(character) : character;
      afterBlank = blank;
    });
  }

  /** Several lines as they are, after a mark that says how they begin and end. */
  #block(text: string, indent: number): void {
    const chomp = !text.endsWith("\n") ? "-" : text === "\n" || text.endsWith("\n\n") ? "+" : "";
    this.text += `|${/^[ \n]/.test(text) ? step : ""}${chomp}`;
    const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
    for (const line of lines) {
      if (line === "") this.text += "\n";
      else {
        this.#newLine(indent);
        this.text += line;
      }
    }
  }

  #newLine(indent: number): void {
    this.text += "\n";
    this.#lineStart = this.text.length;
    this.text += " ".repeat(indent);
  }

  #column(): number {
    return this.text.length - this.#lineStart;
  }
}

/** Go's printer writes longer keys in the long form. */
const maxSimpleKeyBytes = 128;

function isSimpleKey(key: string): boolean {
  return !/[\n\r\u0085\u2028\u2029]/.test(key) && byteLength(key) <= maxSimpleKeyBytes;
}

function hasMembers(value: object): boolean {
  return Object.values(value).some((member) => member !== undefined);
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return "[]";
  if (isJsonObject(value)) return "{}";
  if (value instanceof RawNumber) return /^-?[0-9]+$/.test(value.token) ? value.token : goNumber(value.valueOf());
  return typeof value === "number" ? goNumber(value) : String(value ?? null);
}

/** The shortest form, with an exponent below 1e-4 and of at least two digits. */
function goNumber(value: number): string {
  const magnitude = Math.abs(value);
  const text = magnitude !== 0 && magnitude < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([-+])([0-9])$/, "e$10$2");
}

/** Letters after all else, numbers by their value: `a2` before `a10`. */
function compareKeys(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((character, index) => character !== right[index]);
  const [x, y] = [left[at], right[at]];
  if (x === undefined || y === undefined) return left.length - right.length;
  const letters = [isLetter(x), isLetter(y)];
  if (letters[0] && letters[1]) return x.codePointAt(0)! - y.codePointAt(0)!;
  if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
  const inNumber = (x === "0" || y === "0") && /[1-9][0-9]*$/.test(left.slice(0, at).join("")) ? "1" : "";
  const [m, n] = [left, right].map((characters) => /^[0-9]*/.exec(characters.slice(at).join(""))![0]);
  const order = Number(`${inNumber}${m}`) - Number(`${inNumber}${n}`) || m!.length - n!.length;
  return order !== 0 ? order : x.codePointAt(0)! - y.codePointAt(0)!;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}
