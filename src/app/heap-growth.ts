import { getHeapStatistics, setFlagsFromString } from "node:v8";
import type { Clock } from "#base/clock.ts";

/** How a heap may grow: by the last step that it has reached. One that has reached none may grow as the engine likes: that is faster, and there is room for it. */
export type HeapBounds = readonly HeapStep[];

interface HeapStep {
  readonly fromBytes: number;
  /** How much of what is alive it may hold in garbage besides. */
  readonly percent: number;
}

/** Of a process that holds whole clusters. */
const fleetHeap: HeapBounds = [
  { fromBytes: 384 * 2 ** 20, percent: 60 },
  { fromBytes: 2 ** 30, percent: 40 },
  { fromBytes: 2 * 2 ** 30, percent: 25 },
  { fromBytes: 3 * 2 ** 30, percent: 15 },
];
/** Of one that keeps copies of what servers hold: it is small, lives beside them, and has time to collect while it waits for them. */
export const replicaHeap: HeapBounds = [{ fromBytes: 0, percent: 40 }];

const lookMs = 1_000;
/** Leaves it to the engine, which allows a multiple. */
const unbounded = 0;

/** Keeps a heap from growing to a multiple of what is alive in it before garbage is collected. Returns what ends it. */
export function boundHeapGrowth(clock: Clock, bounds: HeapBounds = fleetHeap): () => void {
  let bound = unbounded;
  let cancel = () => {};
  const look = () => {
    const wanted = growthPercent(getHeapStatistics().used_heap_size, bounds);
    if (wanted !== bound) setFlagsFromString(`--heap-growing-percent=${wanted}`);
    bound = wanted;
    cancel = clock.after(lookMs, look);
  };
  look();
  return () => cancel();
}

/** By how much a heap of that size may grow; 0: as the engine likes. */
export function growthPercent(usedBytes: number, bounds: HeapBounds): number {
  return bounds.findLast(({ fromBytes }) => usedBytes >= fromBytes)?.percent ?? unbounded;
}
