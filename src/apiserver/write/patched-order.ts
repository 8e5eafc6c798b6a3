import type { ApiCall } from "#api/meta/api-call.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import { isJsonObject, member, setMember } from "#base/json.ts";
import { withSortedMembers } from "#base/sorted-json.ts";

/** A patched document with its members in the order in which Kubernetes' decoder meets them: where a patch touches an object, its members are sorted. */
export function inPatchedOrder(draft: Draft, { patchType, body }: ApiCall): object {
  if (patchType === "merge") return mergedOrder(draft, body) as object; // an object stays one
  const paths = Array.isArray(body) ? body.flatMap(pathsOf) : [];
  let document: unknown = draft;
  for (const path of paths) document = sortedAlong(document, path.split("/").slice(1, -1).map(unescaped));
  return document as object; // likewise
}

function mergedOrder(value: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return withSortedMembers(value);
  if (!isJsonObject(value)) return value;
  return sortedMembers(value, (key, child) => (Object.hasOwn(patch, key) ? mergedOrder(child, patch[key]) : child));
}

function pathsOf(operation: unknown): string[] {
  if (!isJsonObject(operation)) return [];
  return ["path", "from"].map((name) => member(operation, name)).filter((path) => typeof path === "string");
}

function unescaped(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function sortedAlong(value: unknown, [next, ...rest]: readonly string[]): unknown {
  const follow = (key: string, child: unknown) => (key === next ? sortedAlong(child, rest) : child);
  if (Array.isArray(value)) return value.map((item, index) => follow(String(index), item));
  return isJsonObject(value) ? sortedMembers(value, follow) : value;
}

function sortedMembers(object: object, follow: (key: string, child: unknown) => unknown): object {
  const sorted = {};
  for (const key of Object.keys(object).toSorted()) setMember(sorted, key, follow(key, member(object, key)));
  return sorted;
}
