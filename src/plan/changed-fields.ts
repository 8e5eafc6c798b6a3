import { isJsonObject, jsonEquals, member, stringifyJson } from "#base/json.ts";

const maxFields = 8;
const maxText = 40;
/** Marks that the system itself leaves on what it sends. */
const isMark = (path: string) => /^metadata\.(labels|annotations)\..*karmada\.io\//.test(path);

/** What differs between two manifests, as `path: before → after`; the first few, and how many more. Of a Secret only where. */
export function changedFields(before: unknown, after: unknown): readonly string[] {
  const isSecret = isJsonObject(after) && after["kind"] === "Secret";
  const all = differences(before, after, "").filter(({ path }) => !isMark(path));
  const lines = all
    .slice(0, maxFields)
    .map((each) => (isSecret ? each.path : `${each.path}: ${shown(each.before)} → ${shown(each.after)}`));
  return all.length > maxFields ? [...lines, `and ${all.length - maxFields} more`] : lines;
}

interface FieldDifference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

function differences(before: unknown, after: unknown, path: string): readonly FieldDifference[] {
  if (jsonEquals(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return keys.flatMap((key) =>
      differences(member(before, key), member(after, key), path === "" ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => differences(item, after[index], `${path}[${index}]`));
  return [{ path, before, after }];
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text;
}
