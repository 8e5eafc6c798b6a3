import { readFileSync } from "node:fs";

/** What processes have used so far. */
export interface ProcessFigures {
  readonly cpuSeconds: number;
  /** The most they ever had at once, added up. */
  readonly peakBytes: number;
}

/** The kernel counts time in these. */
const ticksPerSecond = 100;

/** Reads what Linux knows of processes. */
export function processFigures(pids: readonly number[]): ProcessFigures {
  let cpuSeconds = 0;
  let peakBytes = 0;
  for (const pid of pids) {
    // the name of the program stands in brackets and may hold anything; the 14th and 15th fields are user and system time
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    cpuSeconds += (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    peakBytes += Number(peak ?? 0) * 1024;
  }
  return { cpuSeconds, peakBytes };
}
