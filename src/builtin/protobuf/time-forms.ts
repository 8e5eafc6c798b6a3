import { isWireTime } from "#base/calendar.ts";
import type { RawNumber } from "#base/json.ts";
import { malformed } from "./wire-reader.ts";

/** Seconds from 0000-01-01 to 9999-12-31, what RFC 3339 can write. */
const firstSecond = -62_167_219_200;
const lastSecond = 253_402_300_799;

/** RFC 3339 in UTC, whole seconds or six digits more. */
export function printTime(seconds: number | RawNumber, micros?: number): string {
  if (typeof seconds !== "number" || seconds < firstSecond || seconds > lastSecond) {
    throw malformed("time out of range");
  }
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return micros === undefined ? `${text}Z` : `${text}.${String(micros).padStart(6, "0")}Z`;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time as a client wrote it, in UTC with as many digits as its kind has; what is no time stays as it is. */
export function canonicalTime(text: string, form: "@time" | "@microtime"): string {
  if (form === "@time" && isWireTime(text)) return text;
  const match = rfc3339.exec(text);
  const seconds = match === null ? Number.NaN : Math.floor(Date.parse(text) / 1000);
  if (match === null || Number.isNaN(seconds)) return text;
  if (form === "@time") return printTime(seconds);
  return printTime(seconds, Number((match[1] ?? ".").slice(1, 7).padEnd(6, "0")));
}

/** A duration of nanoseconds as Go prints it: `1h0m0.5s`, `1.5ms`, `0s`. */
export function printDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, "0");
  const fraction = text.slice(-digits).replace(/0+$/, "");
  return fraction === "" ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`;
}
