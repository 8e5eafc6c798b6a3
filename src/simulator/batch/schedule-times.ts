import type { CronSchedule } from "#base/cron-schedule.ts";

type Calendar = Extract<CronSchedule, { sort: "calendar" }>["fields"];

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** A schedule that names no day within these years, such as the 30th of February, never comes. */
const searchDays = 5 * 366;

export interface NextTimeOptions {
  readonly afterMs: number;
  /** An IANA name; UTC when absent. */
  readonly timeZone?: string | undefined;
}

/** When a schedule comes next; undefined when it never does. */
export function nextTime(schedule: CronSchedule, { afterMs, timeZone }: NextTimeOptions): number | undefined {
  if (schedule.sort === "interval") {
    const everyMs = Math.max(1_000, Math.floor(schedule.everyMs / 1_000) * 1_000);
    return Math.floor(afterMs / 1_000) * 1_000 + everyMs;
  }
  const zone = timeZone === undefined ? () => 0 : zoneOffset(timeZone);
  const local = afterMs + zone(afterMs);
  const firstDay = Math.floor(local / dayMs) * dayMs;
  for (let day = 0; day < searchDays; day++) {
    const midnight = firstDay + day * dayMs;
    if (!matchesDay(schedule.fields, new Date(midnight))) continue;
    for (const minutes of minutesOfDay(schedule.fields)) {
      const wall = midnight + minutes * minuteMs;
      // the offset at the guess is right except within the hour around a change of the clocks
      const time = wall - zone(wall - zone(wall));
      if (time > afterMs) return time;
    }
  }
  return undefined;
}

/** Upstream: github.com/robfig/cron/v3 spec.go dayMatches. */
function matchesDay({ month, dayOfMonth, dayOfWeek }: Calendar, date: Date): boolean {
  if (!month.values.has(date.getUTCMonth() + 1)) return false;
  const byMonth = dayOfMonth.values.has(date.getUTCDate());
  const byWeek = dayOfWeek.values.has(date.getUTCDay());
  return dayOfMonth.any || dayOfWeek.any ? byMonth && byWeek : byMonth || byWeek;
}

function minutesOfDay({ hour, minute }: Calendar): readonly number[] {
  const ascending = (values: ReadonlySet<number>) => [...values].toSorted((a, b) => a - b);
  const minutes = ascending(minute.values);
  return ascending(hour.values).flatMap((each) => minutes.map((value) => each * 60 + value));
}

/** How far the zone's clocks are ahead of UTC at a moment. */
function zoneOffset(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return wall - Math.floor(ms / 1_000) * 1_000;
  };
}
