import type { Command } from "commander";
import { HintedError } from "#base/hinted-error.ts";

/** A mistake in how a command was called: exit code 2, with a hint what to do. */
export class MisuseError extends HintedError {}

/** What commands print to; handed in, so that tests read it. */
export interface Output {
  readonly line: (text: string) => void;
}

/** One subcommand: adds itself to the program. */
export type AddCommand = (program: Command, output: Output) => void;
