import type { Fields } from "#api/meta/object-meta.ts";

const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** Puts members that hold a MicroTime into the one form that Kubernetes prints. */
export function canonicalMicroTimes(holder: Fields | null | undefined, ...members: readonly string[]): void {
  for (const name of members) {
    if (typeof holder?.[name] === "string") holder[name] = canonicalMicroTime(holder[name]);
  }
}

/** A time with exactly six digits of a second, in UTC, as Kubernetes prints MicroTime; other text stays as it is. */
function canonicalMicroTime(text: string): string {
  const [, seconds, fraction = "", zone = ""] = shape.exec(text) ?? [];
  if (seconds === undefined) return text;
  const micros = fraction.slice(0, 6).padEnd(6, "0");
  if (zone === "Z") return `${seconds}.${micros}Z`;
  const ms = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? text : `${new Date(ms).toISOString().slice(0, 19)}.${micros}Z`;
}
