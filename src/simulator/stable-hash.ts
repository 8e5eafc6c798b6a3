import { fnv1a32 } from "#base/fnv1a.ts";
import { sortedJson } from "#base/sorted-json.ts";

const safeAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/** A short name for a content, made of characters that cannot spell a word. Equal content, equal name, whatever the key order. */
export function contentHash(value: unknown): string {
  const digits = [...String(fnv1a32(sortedJson(value)))];
  return digits.map((digit) => safeAlphabet[digit.charCodeAt(0) % safeAlphabet.length]).join("");
}

/** As many hexadecimal digits as asked for, the same for the same text: made-up identifiers that look like real ones. */
export function hexOf(text: string, length: number): string {
  let digits = "";
  for (let round = 0; digits.length < length; round++)
    digits += fnv1a32(`${round}:${text}`).toString(16).padStart(8, "0");
  return digits.slice(0, length);
}
