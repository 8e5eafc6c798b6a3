import { MetLately } from "./met-lately.ts";

/** No longer text is remembered: what somebody sends must not be held for long after it has gone. */
const longest = 4_000;

/** How parts are printed that many objects have in common, known by the very part: nobody may change what was printed. */
export class PrintedParts {
  readonly #texts = new MetLately<object, string>(6_000);

  /** The JSON of a part; raw numbers are yet to be restored in it. */
  textOf(part: object): string {
    const known = this.#texts.get(part);
    if (known !== undefined) return known;
    const text = JSON.stringify(part);
    if (text.length <= longest) this.#texts.set(part, text);
    return text;
  }
}
