/** Time, handed in: the system's clock in production, a virtual one in simulations. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Milliseconds since some moment, with fractions: for durations. It never goes back, whatever happens to the time of day. */
  elapsedMs(): number;
  /** Calls back once, later; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
  /** Resolves when whatever else waits in this process has had its turn. Absent where time stands still meanwhile. */
  pause?(): Promise<void>;
}

/** The wire's time stamp: UTC, whole seconds (ruling 28). */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The wire's MicroTime: six digits of a second. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}
