import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { isJsonObject, RawNumber, stringifyJson } from "#base/json.ts";

/** What one member may report of one object. */
const maxBytes = 64 * 1024;
const maxDepth = 32;
const maxCount = 2 ** 31 - 1;

/** Groups whose statuses have no numbers but counters and generations at their top. */
const nativeGroups = new Set(["", "apps", "batch", "policy", "autoscaling", "networking.k8s.io"]);

/** A status that may be reported, or why it may not: a member is not trusted with sizes and numbers (SEC-18). */
export type BoundedStatus =
  | { readonly status: Fields | undefined; readonly trouble?: undefined }
  | { readonly status: undefined; readonly trouble: string };

/** Takes a status of an object of this group as it is, or not at all: half of one would tell something that nobody said. */
export function boundedStatus(group: string, status: Fields | undefined): BoundedStatus {
  if (status === undefined) return { status };
  const isSmall = roomOf(status, 0) <= maxBytes; // nearly always, and seen in one look
  const trouble = (isSmall ? undefined : (depthTrouble(status) ?? sizeTrouble(status))) ?? countTrouble(group, status);
  return trouble === undefined ? { status } : { status: undefined, trouble };
}

/** A character takes six bytes at most when it is printed; so do a name's quotes, colon and comma. */
const roomOfCharacter = 6;
const roomOfNumber = 32;

/** How many bytes a value may take at most when it is printed; no end of them where it is nested too deep. */
function roomOf(value: unknown, depth: number): number {
  if (typeof value === "string") return roomOfCharacter * (value.length + 1);
  if (value instanceof RawNumber) return value.token.length + 1;
  if (typeof value !== "object" || value === null) return roomOfNumber;
  if (depth >= maxDepth) return Number.POSITIVE_INFINITY;
  let room = roomOfCharacter;
  for (const key in value) {
    room += roomOfCharacter * (key.length + 1) + roomOf((value as Fields)[key], depth + 1);
    if (room > maxBytes) break;
  }
  return room;
}

/** Looked at first: what prints a value goes as deep as the value. */
function depthTrouble(status: Fields): string | undefined {
  let level: readonly unknown[] = [status];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`;
    level = level.flatMap((value) => (isBranch(value) ? Object.values(value) : [])).filter(isBranch);
  }
  return undefined;
}

function isBranch(value: unknown): value is object {
  return Array.isArray(value) || isJsonObject(value);
}

function sizeTrouble(status: Fields): string | undefined {
  const bytes = byteLength(stringifyJson(status));
  return bytes > maxBytes ? `it has ${bytes} bytes, more than ${maxBytes}` : undefined;
}

function countTrouble(group: string, status: Fields): string | undefined {
  for (const name in status) {
    const value: unknown = status[name];
    const number = value instanceof RawNumber ? value.valueOf() : value;
    if (typeof number !== "number" || !(nativeGroups.has(group) || /replicas$/i.test(name))) continue;
    const max = /generation$/i.test(name) ? Number.MAX_SAFE_INTEGER : maxCount;
    if (!Number.isInteger(number) || number < 0 || number > max) return `its ${name} is no count`;
  }
  return undefined;
}
