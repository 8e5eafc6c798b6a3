import { randomUUID } from "node:crypto";
import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";

/** The machine's clock. Timers do not keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, callback) {
    // longer delays than a timer can hold would fire at once
    const timer = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
};

const levels = { error: 0, info: 1, debug: 2 } as const;
export type LogLevel = keyof typeof levels;

/** One JSON line per message on a stream: `time`, `level`, `msg`, then whatever belongs to it. Never throws. */
export function lineLogger(
  write: (line: string) => void,
  level: LogLevel,
  fields: Readonly<Record<string, unknown>> = {},
): Logger {
  const log = (each: LogLevel) => (msg: string, more?: Readonly<Record<string, unknown>>) => {
    if (levels[each] > levels[level]) return;
    const own = { time: new Date().toISOString(), level: each, msg };
    write(`${textOf({ ...own, ...fields, ...more, ...own })}\n`);
  };
  return {
    error: log("error"),
    info: log("info"),
    debug: log("debug"),
    child: (more) => lineLogger(write, level, { ...fields, ...more }),
  };
}

function textOf(line: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(line, printable);
  } catch {
    const { time, level, msg } = line;
    return JSON.stringify({ time, level, msg, unprintable: true }); // a cycle
  }
}

/** Errors have no enumerable members: without this they would print as {}. */
function printable(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (!(value instanceof Error)) return value;
  const { message, stack, cause } = value;
  const answer = value instanceof StatusError ? { code: value.code, reason: value.reason } : {};
  return { message, ...answer, stack, ...(cause === undefined ? {} : { cause }) };
}
