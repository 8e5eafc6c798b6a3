import { setFlagsFromString } from "node:v8";

/**
 * Threads that are started from now on have little room for what dies young. The engine gives each what the program was started with, which
 * is meant for the main thread: 64 MB would be taken by every thread that only hands rows to a disk.
 */
export function boundThreadHeaps(): void {
  setFlagsFromString("--min-semi-space-size=1");
  setFlagsFromString("--max-semi-space-size=4");
}
