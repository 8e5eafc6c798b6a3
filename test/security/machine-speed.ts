/** For tests that measure: what else the machine does just then can spoil a measurement, but hardly four in a row. */
export const measured = { retry: 3 } as const;

/** The bound for something that took this long: as asked, or a little more where this machine is slow just now. */
export function allowedMs(tookMs: number, boundMs: number): number {
  return tookMs < boundMs ? boundMs : boundMs * slowness();
}

/** What the work below takes on the two-core machine on which the bounds were set, while it does nothing else. */
const nominalMs = 12;

/**
 * How much slower this machine is just now than the one on which the bounds were set; never less than 1, never more than 2: a bound in
 * milliseconds stays a bound.
 */
function slowness(): number {
  const tries = [0, 1, 2].map(() => {
    const started = performance.now();
    let sum = 0;
    for (let i = 0; i < 10_000_000; i++) sum = (Math.imul(sum, 31) + i) | 0;
    const took = performance.now() - started;
    return sum === 1 ? Number.POSITIVE_INFINITY : took; // the sum is used, or there would be nothing to measure
  });
  return Math.min(2, Math.max(1, Math.max(...tries) / nominalMs));
}

/**
 * How long a piece of work takes when nothing gets in its way: the best of a few tries, each from the start. A machine that is busy with
 * other tests makes a try longer, never shorter: tries go on until one is below the bound, or there were enough to say that none will be.
 */
export async function bestOf(
  tries: number,
  { boundMs, work }: { boundMs: number; work: () => unknown },
): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries && best >= boundMs; i++) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** The time that all but one in a hundred stayed below. */
export function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0;
}
