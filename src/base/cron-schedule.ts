/** When something recurs: five sets of numbers, or a plain interval. */
export type CronSchedule =
  | { readonly sort: "calendar"; readonly fields: Readonly<Record<CronField, CronValues>> }
  | { readonly sort: "interval"; readonly everyMs: number };

export type CronField = "minute" | "hour" | "dayOfMonth" | "month" | "dayOfWeek";

export interface CronValues {
  readonly values: ReadonlySet<number>;
  /** Written as `*`: a day then counts only when the other day field does. */
  readonly any: boolean;
}

export type ParsedCronSchedule =
  | { readonly ok: true; readonly schedule: CronSchedule }
  | { readonly ok: false; readonly error: string };

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface Bounds {
  readonly field: CronField;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const bounds: readonly Bounds[] = [
  { field: "minute", min: 0, max: 59, names: [] },
  { field: "hour", min: 0, max: 23, names: [] },
  { field: "dayOfMonth", min: 1, max: 31, names: [] },
  { field: "month", min: 1, max: 12, names: monthNames },
  { field: "dayOfWeek", min: 0, max: 6, names: dayNames },
];

const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/**
 * Reads a schedule of five fields, or `@daily` and the like, or `@every 5m`; errors in the words of Kubernetes.
 *
 * Upstream: github.com/robfig/cron/v3 parser.go.
 */
export function parseCronSchedule(text: string): ParsedCronSchedule {
  try {
    return { ok: true, schedule: parse(text) };
  } catch (error: unknown) {
    if (error instanceof Refusal) return { ok: false, error: error.message };
    throw error;
  }
}

class Refusal extends Error {}

function refuse(message: string): never {
  throw new Refusal(message);
}

function parse(text: string): CronSchedule {
  if (text === "") refuse("empty spec string");
  const spec = /^(?:CRON_)?TZ=\S* /.test(text) ? text.slice(text.indexOf(" ")).trim() : text;
  if (spec.startsWith("@every ")) return { sort: "interval", everyMs: durationMs(spec, spec.slice("@every ".length)) };
  if (spec.startsWith("@")) {
    const meaning = Object.hasOwn(descriptors, spec) ? descriptors[spec] : undefined;
    return parseFields(meaning ?? refuse(`unrecognized descriptor: ${spec}`));
  }
  return parseFields(spec);
}

function parseFields(spec: string): CronSchedule {
  const texts = spec.split(/\s+/).filter((part) => part !== "");
  if (texts.length !== bounds.length) {
    refuse(`expected exactly ${bounds.length} fields, found ${texts.length}: [${texts.join(" ")}]`);
  }
  const fields = bounds.map((range, index) => [range.field, valuesOf(texts[index] ?? "", range)] as const);
  // every field of the record stands in the list of bounds
  return { sort: "calendar", fields: Object.fromEntries(fields) as Record<CronField, CronValues> };
}

function valuesOf(text: string, range: Bounds): CronValues {
  const values = new Set<number>();
  let any = false;
  for (const expression of text.split(",").filter((part) => part !== "")) {
    const { start, end, step, star } = rangeOf(expression, range);
    for (let value = start; value <= end; value += step) values.add(value);
    any ||= star;
  }
  return { values, any };
}

function rangeOf(expression: string, range: Bounds): { start: number; end: number; step: number; star: boolean } {
  const [span = "", stepText, ...moreSlashes] = expression.split("/");
  const [low = "", high, ...moreHyphens] = span.split("-");
  const star = low === "*" || low === "?";
  const start = star ? range.min : numberOf(low, range);
  if (!star && moreHyphens.length > 0) refuse(`too many hyphens: ${expression}`);
  let end = star ? range.max : high === undefined ? start : numberOf(high, range);
  if (moreSlashes.length > 0) refuse(`too many slashes: ${expression}`);
  const step = stepText === undefined ? 1 : integerOf(stepText);
  if (stepText !== undefined && high === undefined) end = range.max;
  if (start < range.min) refuse(`beginning of range (${start}) below minimum (${range.min}): ${expression}`);
  if (end > range.max) refuse(`end of range (${end}) above maximum (${range.max}): ${expression}`);
  if (start > end) refuse(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (step === 0) refuse(`step of range should be a positive number: ${expression}`);
  return { start, end, step, star: star && step === 1 };
}

function numberOf(text: string, range: Bounds): number {
  const named = range.names.indexOf(text.toLowerCase());
  return named < 0 ? integerOf(text) : named + range.min;
}

function integerOf(text: string): number {
  if (!/^[-+]?[0-9]+$/.test(text)) {
    refuse(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const value = Number(text);
  if (value < 0) refuse(`negative number (${value}) not allowed: ${text}`);
  return value;
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

function durationMs(spec: string, text: string): number {
  const parts = [...text.matchAll(/([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)/g)];
  const whole = parts.map(([part]) => part).join("");
  if (whole === "" || whole !== text.replace(/^[-+]/, "")) {
    refuse(`failed to parse duration ${spec}: time: invalid duration ${JSON.stringify(text)}`);
  }
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
}
