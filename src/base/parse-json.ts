import { goQuote } from "./go-text.ts";
import { RawNumber, setMember } from "./json.ts";

/** What parseJson refuses: not JSON, nested too deep. `offset` counts UTF-16 units from the start. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Deeper than any real object, shallow enough for every recursive walk over what was parsed. */
export const maxJsonDepth = 128;

export interface ParsedJson {
  readonly value: unknown;
  /** Field paths that stood twice in one object, in document order; the last one won, as in Go. */
  readonly duplicates: readonly string[];
}

/**
 * Parses JSON losslessly: numbers keep their spelling where a JavaScript number would not, duplicates are reported,
 * depth is bounded, lone surrogates become U+FFFD as in Go.
 *
 * One scan decides whether the engine's own parser gives the same answer; it does for nearly all input and is ten times
 * as fast as ours.
 */
export function parseJson(text: string, options: { readonly findDuplicates?: boolean } = {}): ParsedJson {
  const members = countMembers(text);
  if (members >= 0) {
    try {
      const value: unknown = JSON.parse(text);
      if (options.findDuplicates !== true || countKeys(value) === members) return { value, duplicates: [] };
    } catch {
      // ours says where and why in Go's words
    }
  }
  return new Parser(text).parseDocument();
}

/** A number that a JavaScript number may not print back the same, or something within a text that looks like one. */
const delicateNumber = /[:,[](?:-|[0-9]{15}|[0-9]+[.eE])/;

/** As parseJson, of the text that stringifyJson printed for an object: there is nothing to look for in it but numbers. */
export function parsePrinted(text: string): unknown {
  return delicateNumber.test(text) ? parseJson(text).value : JSON.parse(text);
}

/** All keys of all objects: one for each member of the text, unless some key stood twice. */
function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  for (const key in value) keys += 1 + countKeys((value as Record<string, unknown>)[key]);
  return keys;
}

/**
 * How many `key: value` pairs the text has, or -1 where JSON.parse would lose something: too deep, an escaped surrogate, a number
 * that does not print back the same.
 */
function countMembers(text: string): number {
  let depth = 0;
  let members = 0;
  const end = text.length;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      const close = endOfString(text, i + 1);
      if (close < 0) return -1;
      i = close;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxJsonDepth) return -1;
    } else if (code === 0x3a) {
      members++;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = i;
      while (i + 1 < end && isNumberPart(text.charCodeAt(i + 1))) i++;
      if (i - start > 14 || code === 0x2d || hasFraction(text, start, i)) {
        const token = text.slice(start, i + 1);
        if (String(Number(token)) !== token) return -1;
      }
    }
  }
  return members;
}

/**
 * The index of the closing quote, or -1 where our own parser has to look. Character by character: V8 takes a search by indexOf out of its
 * branch and makes it at every step of the loop around it, which costs the square of a text without quotes.
 */
function endOfString(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return i;
    if (code !== 0x5c) continue;
    i++;
    if (text.charCodeAt(i) === 0x75 && escapedSurrogate.test(text.slice(i + 1, i + 3))) return -1;
  }
  return -1;
}

const escapedSurrogate = /^[dD][89a-fA-F]/;

function isNumberPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d
  );
}

function hasFraction(text: string, start: number, end: number): boolean {
  for (let i = start; i <= end; i++) if (text.charCodeAt(i) > 0x39 || text.charCodeAt(i) < 0x30) return true;
  return false;
}

const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const plainRun = /[^"\\\u0000-\u001f]*/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Parser {
  readonly #text: string;
  readonly #duplicates: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parseDocument(): ParsedJson {
    const value = this.#value("");
    this.#blanks();
    if (this.#at < this.#text.length) this.#refuse("after top-level value");
    return { value, duplicates: this.#duplicates };
  }

  #value(path: string): unknown {
    this.#blanks();
    const char = this.#text[this.#at];
    switch (char) {
      case "{":
        return this.#object(path);
      case "[":
        return this.#array(path);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(path: string): object {
    const object = {};
    const seen = new Set<string>();
    this.#descend();
    this.#blanks();
    if (this.#text[this.#at] === "}") return this.#ascend(object);
    for (;;) {
      this.#blanks();
      if (this.#text[this.#at] !== '"') this.#refuse("looking for beginning of object key string");
      const key = this.#string();
      const memberPath = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) this.#duplicates.push(memberPath);
      seen.add(key);
      this.#blanks();
      if (this.#text[this.#at] !== ":") this.#refuse("after object key");
      this.#at++;
      setMember(object, key, this.#value(memberPath));
      this.#blanks();
      const next = this.#text[this.#at];
      if (next === "}") return this.#ascend(object);
      if (next !== ",") this.#refuse("after object key:value pair");
      this.#at++;
    }
  }

  #array(path: string): unknown[] {
    const array: unknown[] = [];
    this.#descend();
    this.#blanks();
    if (this.#text[this.#at] === "]") return this.#ascend(array);
    for (;;) {
      array.push(this.#value(`${path}[${array.length}]`));
      this.#blanks();
      const next = this.#text[this.#at];
      if (next === "]") return this.#ascend(array);
      if (next !== ",") this.#refuse("after array element");
      this.#at++;
    }
  }

  #descend(): void {
    if (++this.#depth > maxJsonDepth) {
      throw new JsonSyntaxError(`json: nested deeper than ${maxJsonDepth} levels`, this.#at);
    }
    this.#at++;
  }

  #ascend<T>(value: T): T {
    this.#depth--;
    this.#at++;
    return value;
  }

  #string(): string {
    const start = this.#at;
    this.#at++;
    let result = "";
    for (;;) {
      plainRun.lastIndex = this.#at;
      const run = plainRun.exec(this.#text)![0];
      result += run;
      this.#at += run.length;
      const char = this.#text[this.#at];
      if (char === '"') {
        this.#at++;
        return result.isWellFormed() ? result : result.toWellFormed();
      }
      if (char === undefined) throw new JsonSyntaxError("unexpected end of JSON input", start);
      if (char !== "\\") this.#refuse("in string literal");
      result += this.#escape();
    }
  }

  #escape(): string {
    this.#at++;
    const char = this.#text[this.#at] ?? "";
    const plain = escapes[char];
    if (plain !== undefined && char.length === 1) {
      this.#at++;
      return plain;
    }
    if (char !== "u") this.#refuseWithin("in string escape code");
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      this.#at += 1 + /^[0-9a-fA-F]*/.exec(digits)![0].length;
      this.#refuseWithin("in \\u hexadecimal character escape");
    }
    this.#at += 5;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): number | RawNumber {
    numberToken.lastIndex = this.#at;
    const token = numberToken.exec(this.#text)?.[0];
    if (token === undefined && this.#text[this.#at] === "-") {
      this.#at++;
      this.#refuseWithin("in numeric literal");
    }
    if (token === undefined) this.#refuse("looking for beginning of value");
    this.#at += token.length;
    const next = this.#text[this.#at];
    if ((next === "." && !/[.eE]/.test(token)) || ((next === "e" || next === "E") && !/[eE]/.test(token))) {
      this.#at++;
      this.#refuseNumber(next);
    }
    const value = Number(token);
    return String(value) === token ? value : new RawNumber(token);
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#refuseWord(word);
    this.#at += word.length;
    return value;
  }

  #refuseWord(word: string): never {
    let met = 0;
    while (this.#text[this.#at] === word[met]) {
      met++;
      this.#at++;
    }
    this.#refuseWithin(met === 0 ? "looking for beginning of value" : `in literal ${word} (expecting '${word[met]}')`);
  }

  /** A point or an exponent that no digit follows. */
  #refuseNumber(start: string): never {
    if (start === ".") this.#refuseWithin("after decimal point in numeric literal");
    if (/^[+-]/.test(this.#text[this.#at] ?? "")) this.#at++;
    this.#refuseWithin("in exponent of numeric literal");
  }

  /** Inside a token Go takes the end for a blank. */
  #refuseWithin(where: string): never {
    if (this.#text[this.#at] !== undefined) this.#refuse(where);
    throw new JsonSyntaxError(`invalid character ' ' ${where}`, this.#at);
  }

  #blanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #refuse(where: string): never {
    const char = this.#text[this.#at];
    if (char === undefined) throw new JsonSyntaxError("unexpected end of JSON input", this.#at);
    throw new JsonSyntaxError(`invalid character ${quoteMet(char)} ${where}`, this.#at);
  }
}

/** As Go quotes what it met. */
function quoteMet(char: string): string {
  if (char === "'") return "'\\''";
  return char === '"' ? "'\"'" : `'${goQuote(char).slice(1, -1)}'`;
}
