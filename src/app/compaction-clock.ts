import type { Clock } from "#base/clock.ts";
import type { CompactionClock } from "#storage/auto-compaction.ts";

/** The clock as compaction wants it. When somebody sets the machine's clock back, time stands still instead. */
export function compactionClock(clock: Clock): CompactionClock {
  let latest = 0;
  return {
    now() {
      latest = Math.max(latest, clock.nowMs());
      return latest;
    },
    every(intervalMs, call) {
      const repeat = () => {
        call();
        cancel = clock.after(intervalMs, repeat);
      };
      let cancel = clock.after(intervalMs, repeat);
      return () => cancel();
    },
  };
}
