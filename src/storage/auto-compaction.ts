import type { Store } from "./store.ts";

/** Time, handed in. */
export interface CompactionClock {
  /** Milliseconds that never go back. */
  now(): number;
  /** Calls again and again; returns the end of it. */
  every(intervalMs: number, call: () => void): () => void;
}

export interface AutoCompactionOptions {
  readonly clock: CompactionClock;
  /** History younger than this is kept: clients that reconnect must find their place. */
  readonly keepMs?: number;
  /** Fewer changes than this are not worth a compaction. */
  readonly minimumChanges?: number;
  readonly intervalMs?: number;
  /** Told when a compaction failed; the next one is tried all the same. */
  readonly onError: (error: unknown) => void;
}

type CompactedStore = Pick<Store<unknown>, "revision" | "compact">;

/** Compacts a store from time to time, up to where it was `keepMs` ago. Returns what ends it. */
export function startAutoCompaction(store: CompactedStore, options: AutoCompactionOptions): () => void {
  const { clock, keepMs = 5 * 60_000, minimumChanges = 1_000, intervalMs = 30_000, onError } = options;
  let samples: readonly Sample[] = [{ at: clock.now(), revision: store.revision }];
  let compacted = 0;
  let isRunning = false;

  return clock.every(intervalMs, () => {
    const now = clock.now();
    samples = forgetOlder([...samples, { at: now, revision: store.revision }], now - keepMs);
    const target = compactionTarget(samples, { before: now - keepMs, compacted, minimumChanges });
    if (target === undefined || isRunning) return;
    isRunning = true;
    store
      .compact(target)
      .then(() => {
        compacted = target;
      }, onError)
      .finally(() => {
        isRunning = false;
      });
  });
}

/** Which revision the store had at some time. */
interface Sample {
  readonly at: number;
  readonly revision: number;
}

/** Keeps the newest sample that is old enough, and all younger ones. */
function forgetOlder(samples: readonly Sample[], before: number): readonly Sample[] {
  const newest = samples.findLastIndex(({ at }) => at <= before);
  return newest <= 0 ? samples : samples.slice(newest);
}

function compactionTarget(
  samples: readonly Sample[],
  { before, compacted, minimumChanges }: { before: number; compacted: number; minimumChanges: number },
): number | undefined {
  const target = samples.findLast(({ at }) => at <= before)?.revision;
  return target !== undefined && target - compacted >= minimumChanges ? target : undefined;
}
