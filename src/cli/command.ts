import type { Command } from "commander";
import { HintedError } from "#base/hinted-error.ts";
import type { Paint } from "./print/paint.ts";

/** A mistake in how a command was called: exit code 2, with a hint what to do. */
export class MisuseError extends HintedError {}

/** A command has said all it has to say, and ends with a code of its own. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** What commands print to; handed in, so that tests read it. */
export interface Output {
  /** What was asked for. */
  readonly line: (text: string) => void;
  /** What is said besides, and must not get into a pipe. */
  readonly note: (text: string) => void;
  /** Plain unless a person looks at a terminal. */
  readonly paint: Paint;
  /** Where what is printed can be overwritten; undefined in pipes and files. */
  readonly terminal?: Terminal;
}

/** A screen that somebody looks at. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly size: () => { readonly columns: number; readonly rows: number };
}

/**
 * One subcommand: adds itself to the program. Only what describes the command is imported at the top; what it takes to run it is
 * imported by its action, so that no command waits for the others' code.
 */
export type AddCommand = (program: Command, output: Output) => void;
