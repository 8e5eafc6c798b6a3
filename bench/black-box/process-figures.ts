import { readFileSync, writeFileSync } from "node:fs";

/** What a process has used so far. */
interface ProcessFigures {
  readonly cpuSeconds: number;
  /** The most it had at once since that was last forgotten. */
  readonly peakBytes: number;
}

/** The kernel counts time in these. */
const ticksPerSecond = 100;

/** Reads what Linux knows of processes, by their id. */
export function processFigures(pids: readonly number[]): ReadonlyMap<number, ProcessFigures> {
  return new Map(pids.map((pid) => [pid, figuresOf(pid)]));
}

/** What all programs of this machine, and its host's others, have used of its processors so far. */
export function machineCpuSeconds(): number {
  // user, nice, system, idle, waiting for disks, interrupts, soft interrupts, taken by the host
  const [user = 0, nice = 0, system = 0, , , hard = 0, soft = 0, taken = 0] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + hard + soft + taken) / ticksPerSecond;
}

/** From now on the most that processes had is counted anew, where Linux lets us. */
export function forgetPeaks(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, "5");
    } catch {
      // somebody else's: its peak stays that of its whole life
    }
}

/** What processes used in between, and the most they had, added up; one that was started in between counts as a whole. */
export function usedBetween(
  before: ReadonlyMap<number, ProcessFigures>,
  after: ReadonlyMap<number, ProcessFigures>,
): ProcessFigures {
  let cpuSeconds = 0;
  let peakBytes = 0;
  for (const [pid, figures] of after) {
    cpuSeconds += figures.cpuSeconds - (before.get(pid)?.cpuSeconds ?? 0);
    peakBytes += figures.peakBytes;
  }
  return { cpuSeconds, peakBytes };
}

function figuresOf(pid: number): ProcessFigures {
  // the name of the program stands in brackets and may hold anything; the 14th and 15th fields are user and system time
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    peakBytes: Number(peak ?? 0) * 1024,
  };
}
