import { setFlagsFromString } from "node:v8";

/**
 * Threads that are started from now on have little room for what dies young. The engine gives each what the program was started with, which
 * is meant for the main thread: 64 MB would be taken by every thread that only hands rows to a disk. They begin with half of what they may
 * have, since whether a young generation may grow is said for all of the process at once (`heap-growth.ts`).
 */
export function boundThreadHeaps(): void {
  setFlagsFromString("--min-semi-space-size=2");
  setFlagsFromString("--max-semi-space-size=4");
}
