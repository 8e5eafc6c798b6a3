/** How many times the time that a server asked for somebody waits at most. */
const patience = 4;

/**
 * When to try again what failed so often that it would be left alone for some time, and a server that said when it may be asked again: not
 * before. And not long after: it refuses everybody then, which is no reason to think worse of one.
 */
export function retryAskedMs(backOffMs: number, askedMs: number): number {
  return Math.max(askedMs, Math.min(backOffMs, patience * askedMs));
}
