import { isJsonObject, type JsonObject, jsonEquals, member } from "#base/json.ts";

/** One operation of a JSON Patch. */
export interface PatchOperation {
  readonly op: "add" | "replace" | "remove";
  readonly path: string;
  readonly value?: unknown;
}

/** The operations that make one object the other, member by member and in the order of names; lists that differ are replaced whole. */
export function diffJson(before: JsonObject, after: JsonObject): readonly PatchOperation[] {
  return difference(before, after, "");
}

function difference(before: JsonObject, after: JsonObject, path: string): readonly PatchOperation[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key): readonly PatchOperation[] => {
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [old, next] = [member(before, key), member(after, key)];
    if (jsonEquals(old, next)) return [];
    if (next === undefined) return [{ op: "remove", path: at }];
    if (old === undefined) return [{ op: "add", path: at, value: next }];
    if (isJsonObject(old) && isJsonObject(next)) return difference(old, next, at);
    return [{ op: "replace", path: at, value: next }];
  });
}
