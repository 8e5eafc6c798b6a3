import { isJsonObject, jsonEquals, member, stringifyJson } from "#base/json.ts";
import { sortFew } from "#base/sort-few.ts";

const maxFields = 8;
const maxText = 40;
/** Marks that the system itself leaves on what it sends. */
const isMark = (path: string) => /^metadata\.(labels|annotations)\..*karmada\.io\//.test(path);

/** What differs between two manifests, as `path: before → after`; the first few, and how many more. Of a Secret only where. */
export function changedFields(before: unknown, after: unknown): readonly string[] {
  if (before === after) return [];
  const isSecret = isJsonObject(after) && after["kind"] === "Secret";
  const { found } = new Comparison(before, after);
  const lines = found
    .slice(0, maxFields)
    .map((each) => (isSecret ? each.path : `${each.path}: ${shown(each.before)} → ${shown(each.after)}`));
  return found.length > maxFields ? [...lines, `and ${found.length - maxFields} more`] : lines;
}

interface FieldDifference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Walks two values where they are not the same, in the order of names. */
class Comparison {
  readonly found: FieldDifference[] = [];
  /** Where it is: names of members, places in lists. Joined only where something differs. */
  readonly #steps: (string | number)[] = [];

  constructor(before: unknown, after: unknown) {
    this.#compare(before, after);
  }

  #compare(before: unknown, after: unknown): void {
    if (isJsonObject(before) && isJsonObject(after)) this.#compareMembers(before, after);
    else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
      for (const [index, item] of before.entries()) this.#compareAt(index, item, after[index]);
    else if (!jsonEquals(before, after)) {
      const path = this.#path();
      if (!isMark(path)) this.found.push({ path, before, after });
    }
  }

  #compareMembers(before: object, after: object): void {
    const keys: string[] = [];
    for (const key in before) if (member(before, key) !== member(after, key)) keys.push(key);
    for (const key in after) if (!Object.hasOwn(before, key) && member(after, key) !== undefined) keys.push(key);
    for (const key of sortFew(keys, (a, b) => (a < b ? -1 : 1)))
      this.#compareAt(key, member(before, key), member(after, key));
  }

  #compareAt(step: string | number, before: unknown, after: unknown): void {
    if (before === after) return;
    this.#steps.push(step);
    this.#compare(before, after);
    this.#steps.pop();
  }

  #path(): string {
    let path = "";
    for (const step of this.#steps) path += typeof step === "number" ? `[${step}]` : `${path === "" ? "" : "."}${step}`;
    return path;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text;
}
