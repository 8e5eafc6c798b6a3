import { MetLately } from "./met-lately.ts";
import { type MadeParts, PartForm } from "./part-form.ts";
import type { PatternPool } from "./pattern-parts.ts";
import { sharedSample } from "./shared-sample.ts";
import { outlineOf } from "./text-outline.ts";
import { TextPattern } from "./text-pattern.ts";

/** What is larger or has more leaves is read as any other text. */
const largest = { characters: 1 << 16, leaves: 2_000 };
/** Texts that begin alike are of one family. */
const beginning = 24;
const families = 200;
const patternsEach = 24;
const formsRemembered = 2_000;
/** To learn takes as long as reading some texts: after a few for a start, that many have to be read by what was learnt before. */
const lessons = { atFirst: 64, perReading: 1 / 16 };

export interface FamiliarTextsOptions {
  /** What everybody may have who reads a part that is the same in many texts. */
  readonly constant?: (part: object) => object;
  /** Told of every part that may be given out more than once, or of one that it is in, before anybody has it; of some several times. */
  readonly onNew?: (part: object) => void;
  /** How many such parts are remembered, and as many that were met before them. */
  readonly remembered?: number;
  /** Whether whoever reads a text may change a part: by how deep it is in it and by its key. */
  readonly isOwn?: (depth: number, key: string) => boolean;
}

/**
 * Reads JSON texts most of which are like others but for a few leaves: thousands of objects of a kind, read back at a start. What is the
 * same is compared and not read, and what was made of it, and of leaves that come together again, is given out again: nobody may change it.
 */
export class FamiliarTexts {
  readonly #isOwn: (depth: number, key: string) => boolean;
  readonly #families = new Map<string, Family>();
  readonly #pool: PatternPool;

  constructor(options: FamiliarTextsOptions = {}) {
    const { constant = (part) => part, onNew = () => {}, remembered = 4_000, isOwn = () => false } = options;
    const parts: MadeParts = new MetLately(remembered);
    const forms = new MetLately<string, PartForm>(formsRemembered);
    let number = 0;
    this.#isOwn = isOwn;
    this.#pool = {
      constant: (part) => {
        const shared = constant(part);
        onNew(shared); // small ones, too: nobody else tells of an empty list
        return shared;
      },
      texts: new MetLately(remembered),
      formOf: (text) => {
        const form = forms.get(text) ?? new PartForm(parts, { number: ++number, onNew });
        forms.set(text, form);
        return form;
      },
    };
  }

  /** The value of a text that JSON.stringify printed. Undefined: it is not like one that was given before; those to come may be like it. */
  read(text: string): unknown {
    if (text.length > largest.characters) return undefined;
    const name = text.slice(0, beginning);
    let family = this.#families.get(name);
    if (family === undefined) {
      if (this.#families.size >= families) return undefined;
      family = new Family(this.#pool, this.#isOwn);
      this.#families.set(name, family);
    }
    return family.read(text);
  }
}

interface Known {
  readonly pattern: TextPattern;
  /** What its texts have between their leaves. */
  readonly frame: string;
}

/** Texts that begin alike, and their patterns: the one that was met last comes first. */
class Family {
  readonly #pool: PatternPool;
  readonly #isOwn: (depth: number, key: string) => boolean;
  readonly #known: Known[] = [];
  #lessons = lessons.atFirst;

  constructor(pool: PatternPool, isOwn: (depth: number, key: string) => boolean) {
    this.#pool = pool;
    this.#isOwn = isOwn;
  }

  read(text: string): unknown {
    for (let index = 0; index < this.#known.length; index++) {
      const value = this.#known[index]!.pattern.read(text);
      if (value === undefined) continue;
      if (index > 0) this.#known.unshift(...this.#known.splice(index, 1));
      this.#lessons = Math.min(this.#lessons + lessons.perReading, lessons.atFirst);
      return value;
    }
    if (this.#lessons >= 1) this.#learn(text);
    return undefined;
  }

  #learn(text: string): void {
    this.#lessons--;
    const outline = outlineOf(text);
    if (outline === undefined || outline.leaves.length > largest.leaves) return;
    const frame = outline.pieces.join("\0");
    const index = this.#known.findIndex((each) => each.frame === frame);
    const [known] = index === -1 ? [] : this.#known.splice(index, 1);
    if (known !== undefined) known.pattern.widen(outline.leaves);
    const pattern = known?.pattern ?? this.#newPattern(text, outline);
    // one that reads a text otherwise than it was printed is of no use: keys that come twice, or that are put in order
    if (JSON.stringify(pattern.read(text)) === text) this.#known.unshift({ pattern, frame });
    if (this.#known.length > patternsEach) this.#known.pop();
  }

  #newPattern(text: string, outline: NonNullable<ReturnType<typeof outlineOf>>): TextPattern {
    const common = { pool: this.#pool, isOwn: this.#isOwn };
    return new TextPattern({ ...common, outline, sample: sharedSample(text, common) });
  }
}
