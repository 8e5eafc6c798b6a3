import { Command, CommanderError } from "commander";
import { StatusError } from "#api/meta/status-error.ts";
import { HintedError } from "#base/hinted-error.ts";
import { MisuseError, type Output } from "./command.ts";
import { addUp } from "./up.ts";
import { addVersion, programVersion } from "./version.ts";

const output: Output = { line: (text) => process.stdout.write(`${text}\n`) };

/** Exit codes: 0 done, 1 failed, 2 misuse. */
async function main(): Promise<number> {
  const program = new Command("flotilla")
    .description("A control plane for many Kubernetes clusters. Nothing moves by surprise.")
    .version(programVersion(), "-V, --version")
    .showHelpAfterError("(add --help for usage)")
    .exitOverride();
  for (const add of [addUp, addVersion]) add(program, output);
  for (const command of program.commands) command.exitOverride().showHelpAfterError("(add --help for usage)");
  try {
    await program.parseAsync(process.argv);
    return 0;
  } catch (error: unknown) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed it
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  if (error instanceof HintedError) process.stderr.write(`hint: ${error.hint}\n`);
  if (error instanceof MisuseError) return 2;
  if (!(error instanceof StatusError) && process.env["FLOTILLA_DEBUG"] !== undefined)
    process.stderr.write(`${(error as Error).stack}\n`);
  return 1;
}

process.exitCode = await main();
