import { getHeapStatistics, setFlagsFromString } from "node:v8";
import type { Clock } from "#base/clock.ts";

/** A heap that is smaller may grow as the engine likes: that is faster, and there is room for it. */
const largeBytes = 384 * 2 ** 20;
const lookMs = 1_000;
/** How much of what is alive a large heap may hold in garbage besides, in percent; 0 leaves it to the engine, which allows a multiple. */
const growth = { large: 25, small: 0 };

/** Keeps a large heap from growing to a multiple of what is alive in it before garbage is collected. Returns what ends it. */
export function boundHeapGrowth(clock: Clock): () => void {
  let bound = growth.small;
  let cancel = () => {};
  const look = () => {
    const wanted = getHeapStatistics().used_heap_size < largeBytes ? growth.small : growth.large;
    if (wanted !== bound) setFlagsFromString(`--heap-growing-percent=${wanted}`);
    bound = wanted;
    cancel = clock.after(lookMs, look);
  };
  look();
  return () => cancel();
}
