import type { CommandWords, FlagWords } from "./command-words.ts";

/** A script that completes commands, flags, formats and files in fish, with what they do. */
export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c flotilla -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...flags.map((flag) => flagLine(name, flag)),
  ]);
  return `# fish completion for flotilla: flotilla completion fish | source\n${lines.join("\n")}\n`;
}

function flagLine(command: string, { long, short, description, value }: FlagWords): string {
  const follows =
    value === "none" ? "-f" : value === "file" ? "-r -F" : value === "any" ? "-x" : `-x -a ${quoted(value.join(" "))}`;
  const spelling = short === undefined ? `-l ${long.slice(2)}` : `-l ${long.slice(2)} -s ${short.slice(1)}`;
  return `complete -c flotilla -n ${quoted(`__fish_seen_subcommand_from ${command}`)} ${spelling} ${follows} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
