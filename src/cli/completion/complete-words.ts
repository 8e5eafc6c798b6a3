import { type CommandWords, type FlagWords, spellings } from "./command-words.ts";

/** What the shell shall do besides: look for files where nothing fits, or not. Cobra's numbers. */
const filesToo = ":0";
const noFiles = ":4";

/**
 * What a last word may become, as kubectl asks `kubectl_complete-flotilla`: candidates with their meaning, one a line, and at the end
 * what the shell shall do besides.
 */
export function completeWords(commands: readonly CommandWords[], words: readonly string[]): readonly string[] {
  const [previous = "", current = ""] = [words.at(-2), words.at(-1)];
  const typed = words.slice(0, -1).find((word) => !word.startsWith("-"));
  if (typed === undefined) return [...fitting(commands.map(meaningOf), current), noFiles];
  const flags = commands.find(({ name }) => name === typed)?.flags ?? [];
  const value = flags.find((flag) => spellings(flag).includes(previous))?.value ?? "none";
  if (value === "file") return [filesToo];
  if (value === "any") return [noFiles];
  if (value !== "none") return [...fitting(value, current), noFiles];
  return current.startsWith("-") ? [...fitting(flags.flatMap(flagLines), current), noFiles] : [filesToo];
}

function fitting(lines: readonly string[], start: string): readonly string[] {
  return lines.filter((line) => line.startsWith(start));
}

function meaningOf({ name, summary }: CommandWords): string {
  return `${name}\t${summary}`;
}

function flagLines(flag: FlagWords): readonly string[] {
  return spellings(flag).map((spelling) => `${spelling}\t${flag.description}`);
}
