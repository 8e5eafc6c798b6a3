import { isJsonObject, type JsonObject, member, membersBut, RawNumber, setMember } from "#base/json.ts";
import { Malformed } from "./interpretation.ts";

/** What stands at a dotted path; undefined where something on the way, or the end, is absent or null. */
export function valueAt(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (let [start, end] = [0, 0]; end >= 0; start = end + 1) {
    if (found === undefined || found === null) return undefined;
    end = path.indexOf(".", start);
    const step = end < 0 ? path.slice(start) : path.slice(start, end);
    if (!isJsonObject(found)) throw new Malformed(`${path}: the value above ${step} is not an object`);
    found = member(found, step);
  }
  return found ?? undefined;
}

/** The object at a path; empty where there is none. */
export function objectAt(value: unknown, path: string): JsonObject {
  const found = valueAt(value, path) ?? {};
  if (!isJsonObject(found)) throw new Malformed(`${path} is not an object`);
  return found;
}

/** The list at a path; empty where there is none. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = valueAt(value, path) ?? [];
  if (!Array.isArray(found)) throw new Malformed(`${path} is not a list`);
  return found;
}

/** The list of objects at a path; empty where there is none. */
export function objectsAt(value: unknown, path: string): readonly JsonObject[] {
  return listAt(value, path).map((item) => {
    if (!isJsonObject(item)) throw new Malformed(`${path} has an item that is not an object`);
    return item;
  });
}

/** The text at a path; empty where there is none. */
export function textAt(value: unknown, path: string): string {
  const found = valueAt(value, path) ?? "";
  if (typeof found !== "string") throw new Malformed(`${path} is not a string`);
  return found;
}

/** The map of texts at a path; undefined where there is none. */
export function textMapAt(value: unknown, path: string): Readonly<Record<string, string>> | undefined {
  if (valueAt(value, path) === undefined) return undefined;
  const entries = Object.entries(objectAt(value, path));
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    throw new Malformed(`${path} has a value that is not a string`);
  }
  return Object.fromEntries(entries);
}

/** The whole number at a path; undefined where there is none. */
export function integerAt(value: unknown, path: string): number | undefined {
  const found = valueAt(value, path);
  if (found === undefined) return undefined;
  const number = found instanceof RawNumber ? found.valueOf() : found;
  if (typeof number !== "number" || !Number.isInteger(number)) throw new Malformed(`${path} is not a whole number`);
  return number;
}

/** A counter that is zero where it is absent. */
export function countAt(value: unknown, path: string): number {
  return integerAt(value, path) ?? 0;
}

/** A copy of an object with another value at a path, whose missing steps are made; undefined takes the last step out. */
export function withValueAt<T extends object>(
  object: T,
  { path, value }: { readonly path: string; readonly value: unknown },
): T {
  const [step = "", ...rest] = path.split(".");
  const copy = { ...object };
  if (rest.length > 0) {
    const below = member(object, step) ?? {};
    if (!isJsonObject(below)) throw new Malformed(`${step} is not an object`);
    setMember(copy, step, withValueAt(below, { path: rest.join("."), value }));
  } else if (value === undefined) Reflect.deleteProperty(copy, step);
  else setMember(copy, step, value);
  return copy;
}

/** A copy without what stands at a path; the object itself where nothing does. */
export function withoutValueAt<T extends object>(object: T, steps: readonly string[]): T {
  const [step = "", ...rest] = steps;
  const below = member(object, step);
  if (below === undefined) return object;
  if (rest.length === 0) return membersBut(object, new Set([step]));
  if (!isJsonObject(below)) return object;
  const changed = withoutValueAt(below, rest);
  return changed === below ? object : { ...object, [step]: changed };
}

/** The members of an object that are named, where they are. */
export function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])));
}
