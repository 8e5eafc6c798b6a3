import { expect, test } from "vitest";
import { parseCronSchedule } from "#base/cron-schedule.ts";
import { nextTime } from "./schedule-times.ts";

const rows: readonly (readonly [schedule: string, after: string, expected: string | undefined, zone?: string])[] = [
  ["* * * * *", "2030-01-01T00:00:00Z", "2030-01-01T00:01:00Z"],
  ["*/5 * * * *", "2030-01-01T00:04:59Z", "2030-01-01T00:05:00Z"],
  ["0 9 * * 1-5", "2030-01-04T09:00:00Z", "2030-01-07T09:00:00Z"],
  ["30 23 31 12 *", "2030-01-01T00:00:00Z", "2030-12-31T23:30:00Z"],
  ["0 0 29 2 *", "2030-01-01T00:00:00Z", "2032-02-29T00:00:00Z"],
  ["0 0 30 2 *", "2030-01-01T00:00:00Z", undefined],
  ["0 0 13 * 5", "2030-01-01T00:00:00Z", "2030-01-04T00:00:00Z"],
  ["@daily", "2030-01-01T12:00:00Z", "2030-01-02T00:00:00Z"],
  ["@every 90s", "2030-01-01T00:00:00Z", "2030-01-01T00:01:30Z"],
  ["0 9 * * *", "2030-01-01T00:00:00Z", "2030-01-01T14:00:00Z", "America/New_York"],
  ["0 9 * * *", "2030-07-01T00:00:00Z", "2030-07-01T13:00:00Z", "America/New_York"],
  ["0 9 * * *", "2030-01-01T00:30:00Z", "2030-01-02T00:00:00Z", "Asia/Tokyo"],
];

for (const [schedule, after, expected, timeZone] of rows) {
  test(`${schedule} ${timeZone ?? "UTC"} after ${after} comes at ${expected ?? "no time"}`, () => {
    const parsed = parseCronSchedule(schedule);
    if (!parsed.ok) throw new Error(parsed.error);
    const next = nextTime(parsed.schedule, { afterMs: Date.parse(after), timeZone });
    expect(next === undefined ? undefined : new Date(next).toISOString().replace(".000", "")).toBe(expected);
  });
}
