const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** A length of time in two or three figures, as kubectl shows ages: `5m32s`, `3d4h`, `2y10d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / second);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  if (ms < 10 * minute) return pair(ms, { unit: minute, name: "m", rest: second, restName: "s" });
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return pair(ms, { unit: hour, name: "h", rest: minute, restName: "m" });
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return pair(ms, { unit: day, name: "d", rest: hour, restName: "h" });
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`;
  if (ms < 8 * year) return pair(ms, { unit: year, name: "y", rest: day, restName: "d" });
  return `${Math.floor(ms / year)}y`;
}

interface Units {
  readonly unit: number;
  readonly name: string;
  readonly rest: number;
  readonly restName: string;
}

function pair(ms: number, { unit, name, rest, restName }: Units): string {
  const more = Math.floor((ms % unit) / rest);
  return `${Math.floor(ms / unit)}${name}${more === 0 ? "" : `${more}${restName}`}`;
}
