import { RawNumber } from "./json.ts";

/** Texts that differ only after so many characters are mistaken for each other until they are compared. */
const longest = 128;

/** What is of one sort is not taken for another. */
export const begins = { list: 3, object: 5, number: 7, text: 11, yes: 13, nothing: 17 };

/** Equal leaves have equal marks; most others have not. */
export function markOf(leaf: unknown): number {
  if (typeof leaf === "number") return mixed(begins.number, leaf | 0);
  if (leaf instanceof RawNumber) return mixed(begins.number, leaf.token.length);
  if (typeof leaf !== "string") return leaf === true ? begins.yes : begins.nothing;
  let mark = mixed(begins.text, leaf.length);
  for (let at = Math.min(leaf.length, longest) - 1; at >= 0; at--) mark = mixed(mark, leaf.charCodeAt(at));
  return mark;
}

/** The mark of what has parts, given that of those before and of one more. */
export function mixed(mark: number, more: number): number {
  return (Math.imul(mark, 31) + more) | 0;
}
