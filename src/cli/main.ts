import { Command, CommanderError } from "commander";
import { HintedError } from "#base/hinted-error.ts";
import { type AddCommand, MisuseError, type Output } from "./command.ts";
import { addCordon, addUncordon } from "./cordon.ts";
import { addInstall } from "./install.ts";
import { paintFor } from "./print/paint.ts";
import { addTaint } from "./taint.ts";
import { addUninstall } from "./uninstall.ts";
import { addUp } from "./up.ts";
import { addVersion, programVersion } from "./version.ts";

const commands: readonly AddCommand[] = [addUp, addInstall, addUninstall, addCordon, addUncordon, addTaint, addVersion];

const output: Output = {
  line: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
  paint: paintFor({ isTerminal: process.stdout.isTTY === true, env: process.env }),
};

/** Exit codes: 0 done, 1 failed, 2 misuse. */
async function main(): Promise<number> {
  const program = new Command("flotilla")
    .description("A control plane for many Kubernetes clusters. Nothing moves by surprise.")
    .version(programVersion(), "-V, --version")
    .showHelpAfterError("(add --help for usage)")
    .exitOverride();
  for (const add of commands) add(program, output);
  for (const command of program.commands) command.exitOverride().showHelpAfterError("(add --help for usage)");
  // the timers that a command waits for do not keep the process alive, and neither should anything else but this
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    await program.parseAsync(process.argv);
    return 0;
  } catch (error: unknown) {
    return report(error);
  } finally {
    clearInterval(alive);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed it
  const message = error instanceof Error ? error.message : String(error);
  output.note(`error: ${message}`);
  if (error instanceof HintedError) output.note(`hint: ${error.hint}`);
  if (error instanceof MisuseError) return 2;
  if (process.env["FLOTILLA_DEBUG"] !== undefined && error instanceof Error) output.note(error.stack ?? "");
  return 1;
}

process.exitCode = await main();
