import { markOf } from "./leaf-mark.ts";
import type { Leaf, Reading } from "./part-form.ts";
import { type Changing, type ChangingGroup, type PatternSource, partsOf } from "./pattern-parts.ts";
import { roomFor } from "./roomy-object.ts";
import { endOfLeaf } from "./text-outline.ts";
import { WorthLooking } from "./worth-looking.ts";

/** From so many characters on it is quicker to take out a part and compare it than to look for it. */
const long = 100;
/** Shorter texts are one to V8 when it reads JSON. */
const shortest = 10;

interface ReadLeaf extends Leaf {
  /** As it is written. */
  readonly token: string;
  /** Of the texts in its slot. */
  readonly worth: WorthLooking;
}

/**
 * What texts have in common that differ in some of their leaves alone. It begins as one text and is widened by others; a text is then read
 * by looking at what may differ. Leaves that are the same as another in every text are read once.
 */
export class TextPattern {
  readonly #source: PatternSource;
  /** By leaf: whether it differed between texts, and a number that it has in common with those that were the same in each of them. */
  readonly #isOpen: boolean[];
  #alike: readonly number[];
  /** What stands before each leaf that may differ, and after the last one. */
  #chunks: readonly string[] = [];
  /** By leaf that may differ: its slot. Slots are numbered in the order in which they come. */
  #slots: readonly number[] = [];
  /** By slot. */
  #last: ReadLeaf[] = [];
  #root: Changing = 0;

  constructor(source: PatternSource) {
    const { leaves } = source.outline;
    this.#source = source;
    this.#isOpen = leaves.map(() => false);
    this.#alike = numbered(leaves);
    this.#compile();
  }

  /** Takes in the leaves of a text that has the same pieces: what differs may differ from now on. */
  widen(leaves: readonly string[]): void {
    const { outline } = this.#source;
    for (const [index, leaf] of leaves.entries()) if (leaf !== outline.leaves[index]) this.#isOpen[index] = true;
    this.#alike = numbered(leaves.map((leaf, index) => `${this.#alike[index]} ${leaf}`));
    this.#compile();
  }

  /** The value of a text. Undefined: it is not of this pattern. */
  read(text: string): unknown {
    const tokens = this.#tokensOf(text);
    if (tokens === undefined) return undefined;
    return this.#make(this.#root, this.#readTokens(tokens));
  }

  /** What follows upon each other is mostly about the same: a leaf that is as it was the last time is not read again. */
  #readTokens(tokens: readonly string[]): Reading {
    const fresh = tokens.filter((token, slot) => token !== this.#last[slot]?.token);
    const read = fresh.length === 0 ? [] : (JSON.parse(`[${fresh.join()}]`) as unknown[]); // one for each
    let next = 0;
    for (let slot = 0; slot < tokens.length; slot++) {
      const token = tokens[slot]!;
      const last = this.#last[slot]!;
      if (token !== last.token) this.#last[slot] = this.#leafOf(token, read[next++], last.worth);
    }
    return this.#last;
  }

  /** Texts that are met again and again are one. */
  #leafOf(token: string, value: unknown, worth: WorthLooking): ReadLeaf {
    const mark = markOf(value);
    if (typeof value !== "string" || value.length <= shortest || !worth.isFor(mark))
      return { token, value, mark, worth };
    const { texts } = this.#source.pool;
    const known = texts.get(mark);
    worth.count(known === value);
    if (known !== value) texts.set(mark, value);
    return { token, value: known === value ? known : value, mark, worth };
  }

  #tokensOf(text: string): readonly string[] | undefined {
    const slots = this.#slots;
    const tokens: string[] = [];
    let at = 0;
    for (let index = 0; index < slots.length; index++) {
      const chunk = this.#chunks[index]!;
      if (!isAt(text, chunk, at)) return undefined;
      at += chunk.length;
      const known = tokens[slots[index]!];
      if (known !== undefined && !isAt(text, known, at)) return undefined; // where it only begins so, what follows differs
      const end = known === undefined ? endOfLeaf(text, at) : at + known.length;
      if (end === undefined) return undefined;
      if (known === undefined) tokens.push(text.slice(at, end));
      at = end;
    }
    const last = this.#chunks[slots.length]!;
    return text.length === at + last.length && isAt(text, last, at) ? tokens : undefined;
  }

  #make(changing: Changing, reading: Reading): unknown {
    if (typeof changing === "number") return reading[changing]!.value;
    const { form, slots } = changing;
    if (form === undefined) return this.#makeGroup(changing, reading);
    return form.partOf(slots, reading, () => this.#makeGroup(changing, reading));
  }

  #makeGroup({ keys, members }: ChangingGroup, reading: Reading): object {
    const made: unknown[] | Record<string, unknown> = keys === undefined ? [] : roomFor(members.length);
    for (let index = 0; index < members.length; index++) {
      const { constant, changing } = members[index]!;
      const value = changing === undefined ? constant : this.#make(changing, reading);
      if (keys === undefined) (made as unknown[]).push(value);
      else (made as Record<string, unknown>)[keys[index]!] = value;
    }
    return made;
  }

  #compile(): void {
    const { pieces, leaves } = this.#source.outline;
    const slotOf = new Map<number, number>();
    const slots: number[] = [];
    const chunks = [pieces[0]!];
    for (const [index, leaf] of leaves.entries()) {
      const after = pieces[index + 1]!;
      if (this.#isOpen[index]) {
        const alike = this.#alike[index]!;
        if (!slotOf.has(alike)) slotOf.set(alike, slotOf.size);
        slots.push(slotOf.get(alike)!);
        chunks.push(after);
      } else chunks.push(`${chunks.pop()}${leaf}${after}`);
    }
    this.#chunks = chunks;
    this.#slots = slots;
    this.#last = [...slotOf].map(() => ({ token: "", value: undefined, mark: 0, worth: new WorthLooking() }));
    this.#root = partsOf(this.#source, (leaf) => (this.#isOpen[leaf] ? slotOf.get(this.#alike[leaf]!) : undefined));
  }
}

/** As `startsWith`, which compares one character after the other at ten times the cost. */
function isAt(text: string, part: string, at: number): boolean {
  if (part.length < long) return text.indexOf(part, at) === at;
  return text.slice(at, at + part.length) === part;
}

/** The same number for what is the same. */
function numbered(texts: readonly string[]): readonly number[] {
  const numbers = new Map<string, number>();
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size);
  return texts.map((text) => numbers.get(text)!);
}
