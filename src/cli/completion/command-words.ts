import type { Command, Option } from "commander";

/** What can be typed after the program's name. */
export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly FlagWords[];
}

export interface FlagWords {
  /** `--output` */
  readonly long: string;
  /** `-o` */
  readonly short: string | undefined;
  readonly description: string;
  /** What follows it: nothing, one of a few words, the name of a file, or anything. */
  readonly value: "none" | "file" | "any" | readonly string[];
}

/** The words of every command, from their declarations. */
export function commandWords(program: Command): readonly CommandWords[] {
  const help: FlagWords = { long: "--help", short: "-h", description: "display help for command", value: "none" };
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary() || command.description(),
    flags: [...command.options.filter(({ hidden }) => !hidden).map(flagWords), help],
  }));
}

/** How a flag can be typed. */
export function spellings({ long, short }: FlagWords): readonly string[] {
  return short === undefined ? [long] : [long, short];
}

function flagWords(option: Option): FlagWords {
  const { long, short, description } = option;
  const value = valueWords(option);
  return { long: long ?? short ?? "", short: long === undefined ? undefined : short, description, value };
}

function valueWords({ required, optional, argChoices, flags }: Option): FlagWords["value"] {
  if (!required && !optional) return "none";
  if (argChoices !== undefined) return argChoices;
  return /[<[](file|dir)/.test(flags) ? "file" : "any";
}
