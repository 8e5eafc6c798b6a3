import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Filled } from "./fill.ts";
import type { Reopened } from "./reopen.ts";

/** A fleet on disk, and how large the heap of the process may become that has it, in MB. */
interface Elsewhere {
  readonly directory: string;
  readonly members: readonly string[];
  readonly heapMegabytes?: number;
}

/** A restart is another process: with a heap of its own, and nothing compiled. */
export function reopenElsewhere(fleet: Elsewhere): Reopened {
  return JSON.parse(run("./bench-reopen.js", fleet));
}

/** Fills a fleet in a process of its own: what it takes then is the fleet's. */
export function fillElsewhere(fleet: Elsewhere, templates: number): Filled {
  return JSON.parse(run("./bench-fill.js", fleet, String(templates)));
}

function run(bundle: string, { directory, members, heapMegabytes }: Elsewhere, ...more: readonly string[]): string {
  const program = fileURLToPath(new URL(bundle, import.meta.url)); // beside this bundle
  const heap = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`];
  const args = [...process.execArgv, ...heap, program, directory, members.join(","), ...more];
  return execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
