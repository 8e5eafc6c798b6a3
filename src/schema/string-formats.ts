import { daysIn, isWireTime } from "#base/calendar.ts";
import type { FieldError } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import type { FieldPath } from "./field-path.ts";

/** Whether Kubernetes checks strings against this format; it ignores all others. */
export function knowsFormat(format: string): boolean {
  return Object.hasOwn(checks, normalize(format));
}

/** Whether a string is of its format, as far as Kubernetes looks. */
export function hasFormat(value: string, format: string): boolean {
  return !knowsFormat(format) || checks[normalize(format)]!(value);
}

/** A string that is not of a known format. */
export function findFormatError(value: string, format: string, path: FieldPath): FieldError | undefined {
  if (hasFormat(value, format)) return undefined;
  const where = path.print();
  const detail = `${where} in body must be of type ${format}: ${goQuote(value)}`;
  return { path: where, type: "typeInvalid", value, detail };
}

/** `date-time` and `datetime` are one format. */
function normalize(format: string): string {
  return format.includes("-") ? format.replaceAll("-", "") : format;
}

const checks: Readonly<Record<string, (value: string) => boolean>> = {
  datetime: isDateTime,
  date: isDate,
  duration: isDuration,
  byte: (value) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(value),
  password: () => true,
  ipv4: (value) => isIPv4(value) || (value.includes(".") && isIPv6(value)),
  ipv6: isIPv6,
  cidr: isCidr,
  mac: (value) =>
    /^([0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\2){4}(?:(?:[0-9a-f]{2}\2){2}|(?:[0-9a-f]{2}\2){14})?[0-9a-f]{2}$/i.test(
      value,
    ) || /^(?:[0-9a-f]{4}\.){2}(?:[0-9a-f]{4}\.|(?:[0-9a-f]{4}\.){7})?[0-9a-f]{4}$/i.test(value),
  uuid: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  uuid3: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  uuid4: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(value),
  uuid5: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(value),
  hostname: isHostname,
  email: (value) => /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(value),
  uri: (value) => /^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(value) || /^\/[^\s]*$/.test(value),
  hexcolor: (value) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value),
  k8sshortname: (value) => value.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(value),
  k8slongname: (value) =>
    value.length <= 253 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(value),
};

function isDate(value: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function isDateTime(value: string): boolean {
  if (isWireTime(value)) return true;
  const [date, time] = value.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  return parts !== null && parts[1]! <= "23" && parts[2]! <= "59" && parts[3]! <= "59";
}

/** Go's durations (`1h30m`), and the long form with a unit in words (`22 ns`, `2 weeks`). */
function isDuration(value: string): boolean {
  if (/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(value)) return true;
  return /^\d+\s*(?:nanoseconds?|nanos?|nan|ns|microseconds?|micros?|us|µs|milliseconds?|millis?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)$/i.test(
    value,
  );
}

function isIPv4(value: string): boolean {
  const parts = value.split(".");
  return parts.length === 4 && parts.every((part) => /^[0-9]{1,3}$/.test(part) && Number(part) <= 255);
}

function isIPv6(value: string): boolean {
  if (!value.includes(":") || value.includes(":::")) return false;
  const halves = value.split("::");
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1)?.at(-1);
  let length = groups.reduce((sum, half) => sum + half.length, 0);
  if (last?.includes(".")) {
    if (!isIPv4(last)) return false;
    groups.at(-1)?.pop();
    length++;
  }
  if (!groups.every((half) => half.every((group) => /^[0-9a-f]{1,4}$/i.test(group)))) return false;
  return halves.length === 2 ? length <= 7 : length === 8;
}

function isCidr(value: string): boolean {
  const [address, bits, ...rest] = value.split("/");
  if (address === undefined || bits === undefined || rest.length > 0 || !/^[0-9]{1,3}$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

const singleLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u;
const dottedLabels =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63}$/u;

function isHostname(value: string): boolean {
  if (value.length > 255 || value.split(".").some((label) => label.length > 63)) return false;
  return singleLabel.test(value) || dottedLabels.test(value);
}
