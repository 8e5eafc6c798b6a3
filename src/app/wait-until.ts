import type { Clock } from "#base/clock.ts";

export interface Patience {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly intervalMs?: number;
}

/** Asks until the answer is yes; false when time is up. For commands, whose user waits anyway; controllers are told instead. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  { clock, timeoutMs, intervalMs = 200 }: Patience,
): Promise<boolean> {
  const untilMs = clock.nowMs() + timeoutMs;
  for (;;) {
    if (await isSo()) return true;
    if (clock.nowMs() >= untilMs) return false;
    await new Promise<void>((resolve) => {
      clock.after(intervalMs, resolve);
    });
  }
}
