import type { FieldError } from "#base/field-error.ts";
import { isJsonObject, member, setMember } from "#base/json.ts";
import { sortedJson, withSortedMembers } from "#base/sorted-json.ts";
import type { FieldPath } from "./field-path.ts";
import type { SchemaNode } from "./schema-node.ts";

/** The second of equal items in a list that is a set, or of equal keys in a list that is a map. */
export function findDuplicates(items: readonly unknown[], node: SchemaNode, path: FieldPath): FieldError[] {
  const type = node["x-kubernetes-list-type"];
  if (type === "set") return findRepeated(items, path);
  if (type !== "map") return [];
  const stranger = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const detail = "must be an object for an array of list-type map";
    return [
      {
        path: `${path.printWithKeys()}[${stranger}]`,
        type: "invalid",
        value: withSortedMembers(items[stranger]),
        detail,
      },
    ];
  }
  const keys = node["x-kubernetes-list-map-keys"] ?? [];
  return findRepeated(
    items.map((item) => keysOf(item, keys)),
    path,
  );
}

function findRepeated(values: readonly unknown[], path: FieldPath): FieldError[] {
  if (values.length < 2) return [];
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, value] of values.entries()) {
    const key = sortedJson(value);
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    if (times === 1)
      errors.push({
        path: `${path.printWithKeys()}[${index}]`,
        type: "duplicate",
        value: withSortedMembers(value),
        detail: "",
      });
  }
  return errors;
}

function keysOf(item: unknown, keys: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  if (!isJsonObject(item)) return picked;
  for (const key of keys) {
    const value = member(item, key);
    if (value !== undefined) setMember(picked, key, value);
  }
  return picked;
}
