import { resolvePlainScalar } from "./yaml-scalar.ts";

/** How a string is written: as it is, in either quotes, or as a block of lines. */
export type TextStyle = "plain" | "single" | "double" | "block";

/** The style that Go's YAML printer chooses for a string, as a key or as a value. */
export function textStyle(text: string, options: { readonly key: false }): TextStyle;
export function textStyle(text: string, options: { readonly key: boolean }): Exclude<TextStyle, "block">;
export function textStyle(text: string, { key: isKey }: { readonly key: boolean }): TextStyle {
  const { plain, single, block } = allowedStyles(text);
  if (text.includes("\n")) return block && !isKey ? "block" : "double";
  if (isTakenForElse(text)) return "double";
  if (plain && !(isKey && text === "")) return "plain";
  return single ? "single" : "double";
}

/** What stands between double quotes. */
export function escapeText(text: string): string {
  return Array.from(text, escapeCharacter).join("");
}

const timestamp = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]*)?(Z|[-+][0-9:]+)?)?$/;
const baseSixty = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether a reader would take the bare text for a number, a word such as true, a time or a merge. */
function isTakenForElse(text: string): boolean {
  return resolvePlainScalar(text) !== text || text === "<<" || timestamp.test(text) || baseSixty.test(text);
}

const blankOrEnd = new Set([" ", "\t", "\n", "\r", "\u0085", "\u2028", "\u2029", "\0", undefined]);
const breaks = new Set(["\n", "\r", "\u0085", "\u2028", "\u2029"]);
const startIndicators = new Set("#,[]{}&*!|>'\"%@`");

function allowedStyles(text: string): { readonly plain: boolean; readonly single: boolean; readonly block: boolean } {
  const characters = Array.from(text);
  const first = characters[0];
  const last = characters.at(-1);
  const special = characters.some((character) => !breaks.has(character) && !isPrintable(character));
  const hasBreak = characters.some((character) => breaks.has(character));
  const blankBeforeBreak = characters.some((character, i) => character === " " && breaks.has(characters[i + 1] ?? ""));
  const blankAfterBreak = characters.some((character, i) => breaks.has(character) && characters[i + 1] === " ");
  const edges = [first, last].some((edge) => edge === " " || (edge !== undefined && breaks.has(edge)));
  const impossible = special || blankBeforeBreak;
  return {
    plain: !impossible && !hasBreak && !edges && !hasIndicator(characters),
    single: !impossible && !blankAfterBreak,
    block: !impossible && last !== " ",
  };
}

/** Whether some character would be read as part of YAML's own syntax. */
function hasIndicator(characters: readonly string[]): boolean {
  const [first, second, third] = characters;
  if (first === second && second === third && (first === "-" || first === ".")) return true;
  if (first !== undefined && startIndicators.has(first)) return true;
  if ((first === "?" || first === "-") && blankOrEnd.has(second)) return true;
  return characters.some((character, i) => {
    if (character === ":") return blankOrEnd.has(characters[i + 1]);
    return character === "#" && i > 0 && blankOrEnd.has(characters[i - 1]);
  });
}

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0)!;
  if (code < 0x7f) return code >= 0x20;
  return code >= 0xa0 && code <= 0xfffd && code !== 0xfeff && !(code >= 0xd800 && code <= 0xdfff);
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\0", "0"],
  ["\x07", "a"],
  ["\b", "b"],
  ["\t", "t"],
  ["\n", "n"],
  ["\v", "v"],
  ["\f", "f"],
  ["\r", "r"],
  ["\x1b", "e"],
  ['"', '"'],
  ["\\", "\\"],
  ["\u0085", "N"],
  ["\u2028", "L"],
  ["\u2029", "P"],
]);

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return `\\${short}`;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0)!.toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}
