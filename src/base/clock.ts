import { dateOf } from "./calendar.ts";

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

/** The wire's time stamp: UTC, whole seconds (ruling 28). Every write has some, and a Date takes ten times as long to say it. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (!(seconds >= 0 && seconds < endOfYear9999)) return `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const { year, month, day } = dateOf(Math.floor(seconds / daySeconds));
  const left = seconds % daySeconds;
  const time = `${pair(Math.floor(left / 3_600))}:${pair(Math.floor(left / 60) % 60)}:${pair(left % 60)}`;
  return `${pair(Math.floor(year / 100))}${pair(year % 100)}-${pair(month)}-${pair(day)}T${time}Z`;
}

const daySeconds = 86_400;
const endOfYear9999 = 253_402_300_800;

function pair(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** The wire's MicroTime: six digits of a second. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}
