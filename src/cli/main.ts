#!/usr/bin/env -S node --max-semi-space-size=128 --min-semi-space-size=32 --max-inlined-bytecode-size-cumulative=300 --v8-pool-size=1
import { paintFor } from "./print/paint.ts";
import { completeProgram, isCompleter, programNameOf, runProgram } from "./program.ts";

// whoever reads along has gone, as in `flotilla get -w | head`: that ends us without a word, as it ends every program in a pipe
const brokenPipeCode = 141;
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? brokenPipeCode : 1));
process.stderr.on("error", () => {});

// the timers that a command waits for do not keep the process alive, and neither should anything else but this
const alive = setInterval(() => {}, 2 ** 30);
const [, file = "", ...words] = process.argv;
const output = {
  line: (text: string) => process.stdout.write(`${text}\n`),
  note: (text: string) => process.stderr.write(`${text}\n`),
  paint: paintFor({ isTerminal: process.stdout.isTTY === true, env: process.env }),
  ...(process.stdout.isTTY === true && {
    terminal: {
      write: (text: string) => process.stdout.write(text),
      size: () => ({ columns: process.stdout.columns, rows: process.stdout.rows }),
    },
  }),
};
process.exitCode = isCompleter(file)
  ? await completeProgram(words, output)
  : await runProgram(words, output, programNameOf(file));
clearInterval(alive);
