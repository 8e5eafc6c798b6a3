import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HintedError } from "#base/hinted-error.ts";

/** Runs the benchmark of the checkout that this program was built in; its exit code. */
export async function runBench(words: readonly string[]): Promise<number> {
  // the bundle lies in dist/, the source two folders deep: both have tools/ above
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../";
  const tool = fileURLToPath(new URL(`${up}tools/bench.mjs`, import.meta.url));
  if (!existsSync(tool))
    throw new HintedError("cannot run the benchmark: the sources are not here", "run it in a checkout of the sources");
  const child = spawn(process.execPath, ["--expose-gc", tool, ...words], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
