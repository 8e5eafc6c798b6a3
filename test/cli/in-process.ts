import { paintFor } from "#cli/print/paint.ts";
import { type ProgramName, runProgram } from "#cli/program.ts";

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, as if it were in a pipe. */
export async function runInProcess(words: readonly string[], name?: ProgramName): Promise<Run> {
  const lines = { stdout: [] as string[], stderr: [] as string[] };
  const code = await runProgram(
    words,
    {
      line: (text) => void lines.stdout.push(text),
      note: (text) => void lines.stderr.push(text),
      paint: paintFor({ isTerminal: false, env: {} }),
    },
    name,
  );
  return { code, stdout: lines.stdout.join("\n"), stderr: lines.stderr.join("\n") };
}
