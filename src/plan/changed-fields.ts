import { isJsonObject, jsonEquals, member, stringifyJson } from "#base/json.ts";
import { sortFew } from "#base/sort-few.ts";

const maxFields = 8;
const maxText = 40;
/** Marks that the system itself leaves on what it sends. */
const isMark = (path: string) => /^metadata\.(labels|annotations)\..*karmada\.io\//.test(path);

/** What differs between two manifests, as `path: before → after`; the first few, and how many more. Of a Secret only where. */
export function changedFields(before: unknown, after: unknown): readonly string[] {
  const isSecret = isJsonObject(after) && after["kind"] === "Secret";
  const all: FieldDifference[] = [];
  if (before !== after) collect({ before, after }, [], all);
  const lines = all
    .slice(0, maxFields)
    .map((each) => (isSecret ? each.path : `${each.path}: ${shown(each.before)} → ${shown(each.after)}`));
  return all.length > maxFields ? [...lines, `and ${all.length - maxFields} more`] : lines;
}

interface FieldDifference extends Pair {
  readonly path: string;
}

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

/** Takes down where two values differ that are not the same, in the order of names. The steps to them are joined only where they do. */
function collect({ before, after }: Pair, steps: string[], all: FieldDifference[]): void {
  if (isJsonObject(before) && isJsonObject(after)) collectMembers({ before, after }, steps, all);
  else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    before.forEach((item, index) => {
      if (item !== after[index]) collectAt(`[${index}]`, { before: item, after: after[index] }, steps, all);
    });
  else if (!jsonEquals(before, after)) {
    const path = steps.join("").replace(/^\./, "");
    if (!isMark(path)) all.push({ path, before, after });
  }
}

function collectMembers(
  { before, after }: { readonly before: object; readonly after: object },
  steps: string[],
  all: FieldDifference[],
): void {
  const keys: string[] = [];
  for (const key in before) if (member(before, key) !== member(after, key)) keys.push(key);
  for (const key in after) if (!Object.hasOwn(before, key) && member(after, key) !== undefined) keys.push(key);
  for (const key of sortFew(keys, (a, b) => (a < b ? -1 : 1)))
    collectAt(`.${key}`, { before: member(before, key), after: member(after, key) }, steps, all);
}

function collectAt(step: string, pair: Pair, steps: string[], all: FieldDifference[]): void {
  steps.push(step);
  collect(pair, steps, all);
  steps.pop();
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text;
}
