import { type FieldError, invalid, namedText } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import type { StatusWrite } from "./job-status-rules.ts";

/** What is wrong with the lists of indexes (`1,3-5,7`) in the status of a job. */
export function indexErrors({ spec, now, before }: StatusWrite): FieldError[] {
  const [completed, wasCompleted] = [now.completedIndexes ?? "", before.completedIndexes ?? ""];
  const { completions, backoffLimitPerIndex } = spec;
  const { failedIndexes: failed } = now;
  const completes = completed !== wasCompleted;
  const fails = (failed ?? null) !== (before.failedIndexes ?? null);
  const errors: FieldError[] = [];
  if (completes && completions != null) errors.push(...formatErrors("completedIndexes", completed, completions));
  if (fails && completions != null && backoffLimitPerIndex != null && failed != null)
    errors.push(...formatErrors("failedIndexes", failed, completions));
  if (completes && completed !== "" && spec.completionMode !== "Indexed") {
    const message = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalid("status.completedIndexes", completed, message));
  }
  if (fails && backoffLimitPerIndex == null && failed != null) {
    const message = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalid("status.failedIndexes", failed, message));
  }
  if ((completes || fails) && completions != null && failed != null)
    errors.push(...overlapErrors(completed, failed, completions));
  return errors;
}

type Interval = readonly [first: number, last: number];

function formatErrors(list: string, text: string, completions: number): FieldError[] {
  const read = readIndexes(text, completions);
  if (typeof read === "number") return [];
  // upstream shows one of them in another form
  const shown = list === "failedIndexes" ? namedText(text) : text;
  return [invalid(`status.${list}`, shown, `error parsing ${list}: ${read}`)];
}

/** How many indexes a list names, or what is wrong with it. */
export function readIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let last: number | undefined;
  let total = 0;
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return interval;
    if (last !== undefined && last >= interval[0]) return disorder(last, interval[0]);
    last = interval[1];
    total += interval[1] - interval[0] + 1;
  }
  return total;
}

function disorder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** The interval, or what is wrong with it. */
function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split("-");
  if (limits.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  for (const limit of limits) {
    if (!/^\+?[0-9]+$/.test(limit)) return `cannot convert string to integer for index: ${goQuote(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`;
  }
  const [first, last = first] = limits.map(Number) as [number, number?]; // a split has one part or more
  return limits.length > 1 && first >= last ? disorder(first, last) : [first, last];
}

/** Intervals that cannot be read are told of elsewhere. */
function overlapErrors(completed: string, failed: string, completions: number): FieldError[] {
  const intervalsOf = (text: string) =>
    text
      .split(",")
      .map((part) => parseInterval(part, completions))
      .filter((interval) => typeof interval !== "string");
  const [done, lost] = [intervalsOf(completed), intervalsOf(failed)];
  for (let here = 0, there = 0; here < done.length && there < lost.length; ) {
    const [a, b] = [done[here]!, lost[there]!];
    if (a[0] <= b[1] && b[0] <= a[1]) {
      const message = `failedIndexes and completedIndexes overlap at index: ${Math.max(a[0], b[0])}`;
      return [invalid("status.failedIndexes", failed, message)];
    }
    if (a[0] <= b[0]) here++;
    else there++;
  }
  return [];
}
