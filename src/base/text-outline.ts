/** A part of a text: a leaf, by its place among all leaves, or what has parts itself. */
export type OutlinePart = number | OutlineGroup;

export interface OutlineGroup {
  /** Of an object, in order; a list has none. */
  readonly keys: readonly string[] | undefined;
  readonly parts: readonly OutlinePart[];
  /** Its leaves, and those of its parts: from one place up to another. */
  readonly from: number;
  readonly to: number;
}

/** A JSON text taken apart: what stands between its leaves, and its leaves as they are written. */
export interface TextOutline {
  /** One more than leaves. */
  readonly pieces: readonly string[];
  readonly leaves: readonly string[];
  readonly root: OutlineGroup;
}

const deepest = 64;
const [quote, comma, openList, backslash, closeList, openObject, closeObject] = [34, 44, 91, 92, 93, 123, 125];

/** Takes apart what JSON.stringify has printed. Undefined: a text of another form, of rare keys, or a single leaf. */
export function outlineOf(text: string): TextOutline | undefined {
  const reader = new OutlineReader(text);
  const root = reader.part(0);
  return typeof root === "object" && reader.isAtEnd ? { ...reader.found(), root } : undefined;
}

/** Where the leaf ends that begins there. Undefined: none does. */
export function endOfLeaf(text: string, at: number): number | undefined {
  const first = text.charCodeAt(at);
  if (first === quote) return endOfString(text, at);
  if (first === openObject || first === openList) return undefined;
  for (let end = at; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === comma || code === closeObject || code === closeList) return end === at ? undefined : end;
  }
  return undefined;
}

function endOfString(text: string, at: number): number | undefined {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return undefined;
}

class OutlineReader {
  readonly #text: string;
  readonly #pieces: string[] = [];
  readonly #leaves: string[] = [];
  #at = 0;
  /** Where the last leaf ended. */
  #after = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  found(): Pick<TextOutline, "pieces" | "leaves"> {
    return { pieces: [...this.#pieces, this.#text.slice(this.#after)], leaves: this.#leaves };
  }

  part(depth: number): OutlinePart | undefined {
    if (depth > deepest) return undefined;
    const first = this.#text.charCodeAt(this.#at);
    if (first === openObject) return this.#group([], closeObject, depth);
    return first === openList ? this.#group(undefined, closeList, depth) : this.#leaf();
  }

  #leaf(): number | undefined {
    const begin = this.#at;
    const end = endOfLeaf(this.#text, begin);
    if (end === undefined) return undefined;
    this.#pieces.push(this.#text.slice(this.#after, begin));
    this.#at = end;
    this.#after = end;
    return this.#leaves.push(this.#text.slice(begin, end)) - 1;
  }

  #group(keys: string[] | undefined, close: number, depth: number): OutlineGroup | undefined {
    const from = this.#leaves.length;
    const parts: OutlinePart[] = [];
    this.#at++;
    if (this.#take(close)) return { keys, parts, from, to: from };
    do {
      if (keys !== undefined && !this.#key(keys)) return undefined;
      const part = this.part(depth + 1);
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#take(comma));
    return this.#take(close) ? { keys, parts, from, to: this.#leaves.length } : undefined;
  }
  /** Whether a key was read that can be set as any other. */
  #key(keys: string[]): boolean {
    if (this.#text.charCodeAt(this.#at) !== quote) return false;
    const end = this.#text.indexOf('":', this.#at + 1);
    const key = this.#text.slice(this.#at + 1, end);
    if (end === -1 || key.includes("\\") || key.includes('"') || key === "__proto__") return false;
    keys.push(key);
    this.#at = end + 2;
    return true;
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }
}
