import { getHeapStatistics, setFlagsFromString } from "node:v8";
import type { Clock } from "#base/clock.ts";

/** How a heap may grow: by the last step that it has reached. One that has reached none may grow as the engine likes: that is faster, and there is room for it. */
export type HeapBounds = readonly HeapStep[];

export interface HeapStep {
  readonly fromBytes: number;
  /** How much of what is alive it may hold in garbage besides; 0: as the engine likes. */
  readonly percent: number;
  /**
   * Whether its young generation may grow to what the program was started with. A collection of the young looks at every page of the
   * old, needed or not: in a large heap that takes as long as all else it does.
   */
  readonly youngGrows?: boolean;
}

/** Of a process that holds whole clusters. */
const fleetHeap: HeapBounds = [
  { fromBytes: 384 * 2 ** 20, percent: 60 },
  { fromBytes: 2 ** 30, percent: 60, youngGrows: true },
  { fromBytes: 3 * 2 ** 30, percent: 15, youngGrows: true },
];
/** Of one that keeps copies of what servers hold: it is small, lives beside them, and has time to collect while it waits for them. */
export const replicaHeap: HeapBounds = [{ fromBytes: 0, percent: 40 }];

const lookMs = 1_000;
/** What is not said is left to the engine. */
const unbounded: HeapStep = { fromBytes: 0, percent: 0 };

/** Keeps a heap from growing to a multiple of what is alive in it before garbage is collected. Returns what ends it. */
export function boundHeapGrowth(clock: Clock, bounds: HeapBounds = fleetHeap): () => void {
  const boundsYoung = bounds.some(({ youngGrows }) => youngGrows);
  let bound = unbounded.percent;
  let cancel = () => {};
  const look = () => {
    const { percent, youngGrows } = stepAt(getHeapStatistics().used_heap_size, bounds);
    if (percent !== bound) setFlagsFromString(`--heap-growing-percent=${percent}`);
    bound = percent;
    // each time: the engine sets it back to 2 when a thread starts
    if (boundsYoung) setFlagsFromString(`--semi-space-growth-factor=${youngGrows === true ? 2 : 1}`);
    cancel = clock.after(lookMs, look);
  };
  look();
  return () => cancel();
}

/** Which step a heap of that size has reached. */
export function stepAt(usedBytes: number, bounds: HeapBounds): HeapStep {
  return bounds.findLast(({ fromBytes }) => usedBytes >= fromBytes) ?? unbounded;
}
