import { daysIn, isWireTime } from "#base/calendar.ts";

/** What a time may look like: with or without a fraction of a second, or with exactly six digits of one. */
export type TimeShape = "seconds" | "micro";

const layouts: Readonly<Record<TimeShape, string>> = {
  seconds: "2006-01-02T15:04:05Z07:00",
  micro: "2006-01-02T15:04:05.000000Z07:00",
};

/** The parts of an RFC 3339 time as Go's parser takes them, each with its name in Go's layout. */
const timeParts: readonly (readonly [name: string, shape: RegExp])[] = [
  ["2006", /^[0-9]{4}/],
  ["-", /^-/],
  ["01", /^[0-9]{2}/],
  ["-", /^-/],
  ["02", /^[0-9]{2}/],
  ["T", /^T/],
  ["15", /^[0-9]{2}/],
  [":", /^:/],
  ["04", /^[0-9]{2}/],
  [":", /^:/],
];

const timeEnds: Readonly<Record<TimeShape, typeof timeParts>> = {
  seconds: [
    ["05", /^[0-9]{2}(?:[.,][0-9]+)?/],
    ["Z07:00", /^(?:Z|[+-][0-9]{2}:[0-9]{2})/],
  ],
  micro: [
    ["05", /^[0-9]{2}/],
    [".000000", /^\.[0-9]{6}/],
    ["Z07:00", /^(?:Z|[+-][0-9]{2}:[0-9]{2})/],
  ],
};

/** What Go's time.Parse says of a text that is no RFC 3339 time. */
export function findTimeError(text: string, form: TimeShape = "seconds"): string | undefined {
  if (form === "seconds" && isWireTime(text)) return undefined;
  const layout = layouts[form];
  let rest = text;
  const numbers: number[] = [];
  for (const [name, shape] of [...timeParts, ...timeEnds[form]]) {
    const part = shape.exec(rest)?.[0];
    if (part === undefined) {
      return `parsing time ${quoteBytes(text)} as "${layout}": cannot parse ${quoteBytes(rest)} as "${name}"`;
    }
    if (/^[0-9]/.test(part)) numbers.push(Number.parseInt(part, 10));
    rest = rest.slice(part.length);
  }
  const outOfRange = findOutOfRange(numbers);
  if (outOfRange !== undefined) return `parsing time ${quoteBytes(text)}: ${outOfRange} out of range`;
  return rest === "" ? undefined : `parsing time ${quoteBytes(text)}: extra text: ${quoteBytes(rest)}`;
}

/** What Go's base64 decoder says of a text that is not standard, padded base64. Line breaks are skipped. */
export function findBase64Error(text: string): string | undefined {
  const clean = text.replaceAll(/[\r\n]/g, "");
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(clean)) return undefined;
  const good = /^[A-Za-z0-9+/]*/.exec(clean)?.[0].length ?? 0;
  const isCutOff = good === clean.length;
  return `illegal base64 data at input byte ${isCutOff ? good - (good % 4) : good}`;
}

function findOutOfRange(numbers: readonly number[]): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  if (month < 1 || month > 12) return "month";
  if (day < 1 || day > daysIn(year, month)) return "day";
  if (hour > 23) return "hour";
  if (minute > 59) return "minute";
  return second > 59 ? "second" : undefined;
}

/** As Go's time package quotes: everything but printable ASCII by its bytes. */
function quoteBytes(text: string): string {
  let quoted = "";
  for (const char of text.replaceAll(loneSurrogates, "\ufffd")) {
    if (char === '"' || char === "\\") quoted += `\\${char}`;
    else if (char >= " " && char < "\u007f") quoted += char;
    else if (char < "\u0080") quoted += `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
    else quoted += encodeURIComponent(char).toLowerCase().replaceAll("%", "\\x");
  }
  return `"${quoted}"`;
}

const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
