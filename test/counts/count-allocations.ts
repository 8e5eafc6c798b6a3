import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Allocations } from "./allocation-record.ts";

const program = fileURLToPath(new URL("../../dist/modules/test/counts/allocations-program.js", import.meta.url));

/** With these the same program allocates the same, to the byte. */
const flags = [
  "--no-opt", // compiled code leaves allocations out, and what is compiled by when depends on time
  "--no-maglev",
  "--no-lazy-feedback-allocation", // or what an allocation takes would depend on how often it has run
  "--no-flush-bytecode",
  "--hash-seed=1", // of maps and of names
  "--random-seed=1",
  "--min-semi-space-size=128", // MB; no action takes a fifth of that, so that nothing is collected meanwhile
  "--max-semi-space-size=128",
  "--expose-gc",
  "--single-threaded", // leaves the other processors to others
];

/** What every action allocates in a fleet with so many bystanders, in a process of its own. */
export async function countAllocations(bystanders: number): Promise<Allocations> {
  const env = { TMPDIR: tmpdir() }; // nothing else: NODE_OPTIONS and the like would change the figures
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, String(bystanders)], { env });
  return JSON.parse(stdout) as Allocations; // the program's own
}
