import { mixed } from "./leaf-mark.ts";
import type { MetLately } from "./met-lately.ts";
import { WorthLooking } from "./worth-looking.ts";

/** A leaf of a text, and a number that equal ones have in common. */
export interface Leaf {
  readonly value: unknown;
  readonly mark: number;
}

/** The leaves of a text that may differ, by slot. */
export type Reading = readonly Leaf[];

/** A part that was made, of which form and of which leaves. */
interface MadePart {
  readonly form: PartForm;
  readonly values: readonly unknown[];
  readonly part: object;
}

/** Parts that were made lately, of all forms, by a number that equal ones have in common. */
export type MadeParts = MetLately<number, MadePart>;

/** Parts that are the same but for their leaves. */
export class PartForm {
  readonly #parts: MadeParts;
  readonly #number: number;
  readonly #onNew: (part: object) => void;
  readonly #worth = new WorthLooking();

  constructor(parts: MadeParts, { number, onNew }: { readonly number: number; onNew(part: object): void }) {
    this.#parts = parts;
    this.#number = number;
    this.#onNew = onNew;
  }

  /** The part that has the leaves of these slots: the one that was made before, or else a new one. */
  partOf(slots: readonly number[], reading: Reading, make: () => object): object {
    let mark = this.#number;
    for (const slot of slots) mark = mixed(mark, reading[slot]!.mark);
    if (!this.#worth.isFor(mark)) return make();
    const known = this.#parts.get(mark);
    const isFound = known?.form === this && slots.every((slot, index) => reading[slot]!.value === known.values[index]);
    this.#worth.count(isFound);
    if (isFound) return known.part;
    const part = make();
    this.#parts.set(mark, { form: this, values: slots.map((slot) => reading[slot]!.value), part });
    this.#onNew(part);
    return part;
  }
}
