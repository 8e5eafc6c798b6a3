import { humanDuration } from "#base/human-duration.ts";

/** How long ago a time was, as kubectl shows it; `<unknown>` for a time that is not there. */
export function ageSince(time: unknown, nowMs: number): string {
  const ms = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? "<unknown>" : humanDuration(nowMs - ms);
}
