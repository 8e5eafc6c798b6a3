import { RawNumber } from "#base/json.ts";

/** Freezes a value and all within it: whoever changes it afterwards throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || value instanceof RawNumber) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
