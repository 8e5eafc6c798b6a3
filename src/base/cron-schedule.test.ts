import { expect, test } from "vitest";
import { parseCronSchedule } from "./cron-schedule.ts";

function fields(text: string): Record<string, unknown> | string {
  const parsed = parseCronSchedule(text);
  if (!parsed.ok) return parsed.error;
  if (parsed.schedule.sort === "interval") return { everyMs: parsed.schedule.everyMs };
  return Object.fromEntries(
    Object.entries(parsed.schedule.fields).map(([name, { values, any }]) => [name, any ? "*" : [...values]]),
  );
}

const schedules: Record<string, unknown> = {
  "*/20 8-10 1,15 * *": { minute: [0, 20, 40], hour: [8, 9, 10], dayOfMonth: [1, 15], month: "*", dayOfWeek: "*" },
  "0 0 * JAN mon-fri": { minute: [0], hour: [0], dayOfMonth: "*", month: [1], dayOfWeek: [1, 2, 3, 4, 5] },
  "30/15 * ? * *": { minute: [30, 45], hour: "*", dayOfMonth: "*", month: "*", dayOfWeek: "*" },
  "@daily": { minute: [0], hour: [0], dayOfMonth: "*", month: "*", dayOfWeek: "*" },
  "@every 1h30m": { everyMs: 5_400_000 },
};
for (const [text, expected] of Object.entries(schedules)) {
  test(`${text} is read`, () => expect(fields(text)).toEqual(expected));
}

const refusals: Record<string, string> = {
  "": "empty spec string",
  "* * * *": "expected exactly 5 fields, found 4: [* * * *]",
  "60 * * * *": "end of range (60) above maximum (59): 60",
  "* * 0 * *": "beginning of range (0) below minimum (1): 0",
  "5-2 * * * *": "beginning of range (5) beyond end of range (2): 5-2",
  "1-2-3 * * * *": "too many hyphens: 1-2-3",
  "1/2/3 * * * *": "too many slashes: 1/2/3",
  "*/0 * * * *": "step of range should be a positive number: */0",
  "x * * * *": 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
  "@never": "unrecognized descriptor: @never",
  "@every soon": 'failed to parse duration @every soon: time: invalid duration "soon"',
};
for (const [text, message] of Object.entries(refusals)) {
  test(`${JSON.stringify(text)} is refused`, () => expect(fields(text)).toBe(message));
}
