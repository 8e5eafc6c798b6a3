import { Command, CommanderError } from "commander";
import { HintedError } from "#base/hinted-error.ts";
import { addBench } from "./bench.ts";
import { type AddCommand, ExitCode, MisuseError, type Output } from "./command.ts";
import { addCompletion } from "./completion/completion.ts";
import { addControllers } from "./controllers.ts";
import { addCordon, addUncordon } from "./cordon.ts";
import { addInstall } from "./install.ts";
import { addJoin } from "./join.ts";
import { addLint } from "./lint/lint.ts";
import { addPlan } from "./plan/plan.ts";
import { addWhy } from "./plan/why.ts";
import { addReconcile } from "./reconcile/reconcile.ts";
import { addTaint } from "./taint.ts";
import { addUninstall } from "./uninstall.ts";
import { addUnjoin } from "./unjoin.ts";
import { addUp } from "./up.ts";
import { addVersion, programVersion } from "./version.ts";
import { addDescribe } from "./view/describe.ts";
import { addGet } from "./view/get.ts";
import { addTree } from "./view/tree.ts";
import { addWebhook } from "./webhook.ts";

const commands: readonly AddCommand[] = [
  addUp,
  addControllers,
  addInstall,
  addUninstall,
  addWebhook,
  addPlan,
  addWhy,
  addReconcile,
  addGet,
  addDescribe,
  addTree,
  addJoin,
  addUnjoin,
  addLint,
  addCordon,
  addUncordon,
  addTaint,
  addBench,
  addCompletion,
  addVersion,
];

/** How people call the program: by itself, or as a plugin of kubectl. */
export type ProgramName = "flotilla" | "kubectl flotilla";

/** The name under which a file is run: kubectl runs `kubectl-flotilla` for `kubectl flotilla`. */
export function programNameOf(file: string): ProgramName {
  return /(^|[/\\])kubectl-flotilla(\.[a-z]+)?$/.test(file) ? "kubectl flotilla" : "flotilla";
}

/** The whole command line. Texts name the program as it was called. */
export function createProgram(output: Output, name: ProgramName = "flotilla"): Command {
  const program = new Command(name)
    .description("A control plane for many Kubernetes clusters. Nothing moves by surprise.")
    .version(programVersion(), "-V, --version");
  for (const add of commands) add(program, output);
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showHelpAfterError("(add --help for usage)")
      .configureOutput({
        writeOut: (text) => output.line(renamed(text, name).trimEnd()),
        writeErr: (text) => output.note(renamed(text, name).trimEnd()),
      });
  }
  return program;
}

/** Runs one command line, without the program's own name. Exit codes: 0 done, 1 failed, 2 misuse, and what a command says of itself. */
export async function runProgram(
  words: readonly string[],
  output: Output,
  name: ProgramName = "flotilla",
): Promise<number> {
  try {
    await createProgram(output, name).parseAsync(words, { from: "user" });
    return 0;
  } catch (error: unknown) {
    return report(error, { output, name });
  }
}

/** Whether a file is what kubectl runs to complete the words of `kubectl flotilla`. */
export function isCompleter(file: string): boolean {
  return /(^|[/\\])kubectl_complete-flotilla(\.[a-z]+)?$/.test(file);
}

/** Says what the last of some words may become. */
export async function completeProgram(words: readonly string[], output: Output): Promise<number> {
  const [{ commandWords }, { completeWords }] = await Promise.all([
    import("./completion/command-words.ts"),
    import("./completion/complete-words.ts"),
  ]);
  for (const line of completeWords(commandWords(createProgram(output)), words)) output.line(line);
  return 0;
}

interface Reporting {
  readonly output: Output;
  readonly name: ProgramName;
}

function report(error: unknown, { output, name }: Reporting): number {
  if (error instanceof ExitCode) return error.code;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed it
  const message = error instanceof Error ? error.message : String(error);
  output.note(`error: ${message}`);
  if (error instanceof HintedError) output.note(`hint: ${renamed(error.hint, name)}`);
  if (error instanceof MisuseError) return 2;
  if (process.env["FLOTILLA_DEBUG"] !== undefined && error instanceof Error) output.note(error.stack ?? "");
  return 1;
}

/** Texts show commands as they are called here. */
function renamed(text: string, name: ProgramName): string {
  return name === "flotilla" ? text : text.replaceAll(/(?<![-./\w]|kubectl )flotilla (?=[-a-z[])/g, `${name} `);
}
