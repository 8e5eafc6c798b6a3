import type { MetLately } from "./met-lately.ts";
import type { PartForm } from "./part-form.ts";
import type { OutlineGroup, OutlinePart, TextOutline } from "./text-outline.ts";

/** What differs from text to text: a leaf, by its slot, or what has such. */
export type Changing = number | ChangingGroup;

export interface ChangingGroup {
  readonly keys: readonly string[] | undefined;
  readonly members: readonly PatternMember[];
  /** By which others like it are found, where that is tried: its form, and the slots that it has. */
  readonly form: PartForm | undefined;
  readonly slots: readonly number[];
}

/** What is in a group: the same in all texts, or else how it is made. */
export interface PatternMember {
  readonly constant: unknown;
  readonly changing: Changing | undefined;
}

/** Where a pattern finds what texts have in common. */
export interface PatternPool {
  /** What everybody may have who reads a part that may be the same in all texts of a pattern. */
  constant(part: object): object;
  /** The same one for the same form. */
  formOf(form: string): PartForm;
  /** Texts that were read lately, by a number that equal ones have in common. */
  readonly texts: MetLately<number, string>;
}

export interface PatternSource {
  readonly outline: TextOutline;
  /** The value of the outlined text; what of it is not its readers' own may be given out. */
  readonly sample: object;
  readonly pool: PatternPool;
  /** Whether whoever reads a text may change a part, which is made anew then: by how deep it is and by its key. */
  readonly isOwn: (depth: number, key: string) => boolean;
}

/** Smaller parts are not looked for: that takes longer than to make them. */
const smallest = 32;

interface Place {
  readonly depth: number;
  readonly key: string;
}

/** How the parts of a pattern are made, given the slot of each leaf that changes. */
export function partsOf(source: PatternSource, slotOf: (leaf: number) => number | undefined): ChangingGroup {
  const { outline, sample, pool, isOwn } = source;
  return groupOf(outline.root, sample, { depth: 0, key: "" });

  function groupOf(group: OutlineGroup, value: object, { depth, key }: Place): ChangingGroup {
    const slots = slotsIn(group);
    const form = formOf(group, slots);
    const isFound = !isOwn(depth, key) && form.length >= smallest;
    const members = group.parts.map((part, index) => {
      const name = group.keys?.[index];
      const item = (value as Record<string, unknown>)[name ?? index]; // or a list: members all the same
      return memberOf(part, item, { depth: depth + 1, key: name ?? "" });
    });
    return { keys: group.keys, members, slots, form: isFound ? pool.formOf(form) : undefined };
  }

  function memberOf(part: OutlinePart, value: unknown, place: Place): PatternMember {
    if (typeof part === "number") return { constant: value, changing: slotOf(part) };
    const group = value as object; // what the outline says of its own text
    const isConstant = slotsIn(part).length === 0 && !isOwn(place.depth, place.key);
    if (isConstant) return { constant: group, changing: undefined };
    return { constant: undefined, changing: groupOf(part, group, place) };
  }

  /** Each once, in the order in which they come. */
  function slotsIn({ from, to }: OutlineGroup): readonly number[] {
    const slots = new Set<number>();
    for (let leaf = from; leaf < to; leaf++) {
      const slot = slotOf(leaf);
      if (slot !== undefined) slots.add(slot);
    }
    return [...slots];
  }

  /** All of a part but its changing leaves: equal parts of equal forms have equal leaves, whatever pattern they are of. */
  function formOf(part: OutlinePart, slots: readonly number[]): string {
    if (typeof part === "number") {
      const slot = slotOf(part);
      return slot === undefined ? outline.leaves[part]! : `\0${slots.indexOf(slot)}`; // a text that was printed has none
    }
    const { keys, parts } = part;
    if (keys === undefined) return `[${parts.map((each) => formOf(each, slots)).join()}]`;
    return `{${parts.map((each, index) => `"${keys[index]}":${formOf(each, slots)}`).join()}}`;
  }
}
