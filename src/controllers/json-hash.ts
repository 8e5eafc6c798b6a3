import { createHash } from "node:crypto";
import { sortedJson } from "#base/sorted-json.ts";

/** A hash of a value, the same however its members are ordered; what is undefined is absent. */
export function jsonHash(value: unknown): string {
  return createHash("sha256").update(sortedJson(value)).digest("hex").slice(0, 32);
}
