import { type RuneClasses, runeClasses } from "./rune-classes.ts";

/** A pattern as re2js compiles it; the numbers are its own (`Inst` and `Utils.EMPTY_*` there). */
export interface PatternProgram {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

export interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: readonly number[];
  matchRune(rune: number): boolean;
}

const op = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, match: 6, nop: 7, firstRune: 8, lastRune: 11 } as const;
const foldCase = 1;
const empty = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, wordBoundary: 16, noWordBoundary: 32 } as const;

/** What stands before a position, as far as `^`, `$` and `\b` ask. */
type Before = "begin" | "newline" | "word" | "other";

interface State {
  /** Instructions to go on with, in order. */
  readonly pending: Int32Array;
  readonly before: Before;
  /** By class of the next character; the last one is for the end. */
  readonly next: (State | undefined)[];
}

const matched: State = { pending: new Int32Array(), before: "other", next: [] };
const failed: State = { pending: new Int32Array(), before: "other", next: [] };

/** Instructions looked at before giving up: about ten milliseconds. What is known already costs nothing. */
const maxVisits = 600_000;
/** A new state costs as much as looking at about this many. */
const newStateVisits = 20;
const maxStateBytes = 256 * 1024;
const newline = 10;

/**
 * Says whether a pattern matches somewhere in a text, by sets of instructions that are made once and kept (a lazy DFA). re2js has one
 * too, but not for patterns with `^` and `$`, which nearly all patterns of schemas have.
 *
 * Undefined when it would take too long: a pattern whose sets are ever new costs its size times the length of the text.
 */
export class PatternMatcher {
  readonly #program: PatternProgram;
  readonly #classes: RuneClasses;
  readonly #isAnchored: boolean;
  readonly #marks: Uint32Array;
  /** Work space: each instruction is put there at most twice. */
  readonly #stack: Int32Array;
  /** By hash. */
  readonly #states = new Map<number, State[]>();
  #round = 0;
  #stateBytes = 0;
  #visits = 0;

  constructor(program: PatternProgram) {
    this.#program = program;
    this.#classes = runeClasses(boundariesOf(program));
    this.#isAnchored = startsAtBegin(program);
    this.#marks = new Uint32Array(program.inst.length);
    this.#stack = new Int32Array(2 * program.inst.length + 2);
  }

  /** Whether the program has only what this matcher understands. */
  static understands({ inst }: PatternProgram): boolean {
    return (
      inst.length < 0xffff &&
      inst.every(({ op: code, arg, runes }) => {
        if (code > op.lastRune) return false; // look-behinds
        const folds = code >= op.firstRune && runes.length === 1 && (arg & foldCase) !== 0;
        return !folds || runes[0]! < 128; // others fold in ways that only re2js knows
      })
    );
  }

  matches(text: string): boolean | undefined {
    this.#visits = 0;
    const { classOf, count } = this.#classes;
    let state = this.#stateOf(Int32Array.of(this.#program.start), "begin");
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const rune = unit >= 0xd800 && unit <= 0xdbff ? text.codePointAt(at)! : unit;
      if (rune > 0xffff) at++;
      const next = classOf(rune);
      state = state.next[next] ?? this.#step(state, next);
      if (state === matched) return true;
      if (state === failed) return false;
      if (this.#visits > maxVisits) return undefined;
    }
    return (state.next[count] ?? this.#step(state, count)) === matched;
  }

  /** Where a character of this class leads; the class after the last one is the end of the text. */
  #step(state: State, next: number): State {
    const rune = this.#classes.examples[next];
    const after = rune === undefined ? "begin" : kindOf(rune); // at either end there is nothing
    const found = this.#follow(state.pending, conditions(state.before, after), rune);
    const reached =
      found === undefined ? matched : found.length === 0 || rune === undefined ? failed : this.#stateOf(found, after);
    state.next[next] = reached;
    return reached;
  }

  /** The instructions after the character, in the order in which they are found; undefined when the pattern has matched before it. */
  #follow(pending: Int32Array, holds: number, rune: number | undefined): Int32Array | undefined {
    const { inst } = this.#program;
    const stack = this.#stack;
    const marks = this.#marks;
    const seen = ++this.#round;
    const reached: number[] = this.#isAnchored ? [] : [this.#program.start];
    let size = pending.length;
    let visits = 0;
    stack.set(pending);
    while (size > 0) {
      const pc = stack[--size]!;
      if (marks[pc] === seen) continue;
      marks[pc] = seen;
      visits++;
      const instruction = inst[pc]!;
      const code = instruction.op;
      if (code >= op.firstRune) {
        if (rune !== undefined && instruction.matchRune(rune)) reached.push(instruction.out);
      } else if (code === op.match) {
        return undefined;
      } else if (code === op.alt || code === op.altMatch) {
        stack[size++] = instruction.out;
        stack[size++] = instruction.arg;
      } else if (
        code === op.capture ||
        code === op.nop ||
        (code === op.emptyWidth && (instruction.arg & ~holds) === 0)
      ) {
        stack[size++] = instruction.out;
      }
    }
    this.#visits += visits;
    return this.#distinct(reached);
  }

  #distinct(pcs: number[]): Int32Array {
    const marks = this.#marks;
    const seen = ++this.#round;
    let size = 0;
    for (const pc of pcs) {
      if (marks[pc] === seen) continue;
      marks[pc] = seen;
      pcs[size++] = pc;
    }
    pcs.length = size;
    return new Int32Array(pcs);
  }

  #stateOf(pending: Int32Array, before: Before): State {
    const hash = hashOf(pending);
    const alike = this.#states.get(hash) ?? [];
    const known = alike.find((state) => state.before === before && isSame(state.pending, pending));
    this.#visits += pending.length / 4;
    if (known !== undefined) return known;
    this.#visits += newStateVisits;
    this.#stateBytes += 100 + pending.length * 4 + this.#classes.count * 8;
    if (this.#stateBytes > maxStateBytes) {
      this.#states.clear();
      this.#stateBytes = 0;
    }
    const state: State = { pending, before, next: new Array(this.#classes.count + 1).fill(undefined) };
    this.#states.set(hash, [...alike, state]);
    return state;
  }
}

function hashOf(pending: Int32Array): number {
  let hash = pending.length;
  for (let at = 0; at < pending.length; at++) hash = (Math.imul(hash, 31) + pending[at]!) | 0;
  return hash;
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function kindOf(rune: number): Before {
  if (rune === newline) return "newline";
  const letter = rune | 32;
  return (letter >= 97 && letter <= 122 && rune < 128) || (rune >= 48 && rune <= 57) || rune === 95 ? "word" : "other";
}

/** Which of the empty-width conditions hold between what is before and what is after; the end is a begin, seen from behind. */
function conditions(before: Before, after: Before): number {
  let holds = (before === "word") !== (after === "word") ? empty.wordBoundary : empty.noWordBoundary;
  if (before === "begin") holds |= empty.beginText | empty.beginLine;
  if (before === "newline") holds |= empty.beginLine;
  if (after === "begin") holds |= empty.endText | empty.endLine;
  if (after === "newline") holds |= empty.endLine;
  return holds;
}

function startsAtBegin({ inst, start }: PatternProgram): boolean {
  for (let pc = start; ; pc = inst[pc]!.out) {
    const { op: code, arg } = inst[pc]!;
    if (code === op.emptyWidth && (arg & empty.beginText) !== 0) return true;
    if (code !== op.capture && code !== op.nop && code !== op.emptyWidth) return false;
  }
}

/** Where a class of characters can begin: at every edge of a range, a word and a line end. */
function boundariesOf({ inst }: PatternProgram): ReadonlySet<number> {
  const boundaries = new Set<number>();
  const range = (from: number, to: number) => boundaries.add(from).add(to + 1);
  for (const [from, to] of ["09", "AZ", "__", "az", "\n\n"]) range(from!.charCodeAt(0), to!.charCodeAt(0));
  for (const { op: code, arg, runes } of inst) {
    if (code < op.firstRune || code > op.lastRune) continue;
    if (runes.length === 1) for (const rune of (arg & foldCase) === 0 ? runes : foldsOf(runes[0]!)) range(rune, rune);
    else for (let at = 0; at + 1 < runes.length; at += 2) range(runes[at]!, runes[at + 1]!);
  }
  return boundaries;
}

/** The characters that are one with an ASCII character when case does not count: K has the Kelvin sign, S the long s. */
function foldsOf(rune: number): readonly number[] {
  const letter = String.fromCharCode(rune);
  return [...letter.toLowerCase(), ...letter.toUpperCase(), "\u212a", "\u017f"].map((each) => each.charCodeAt(0));
}
