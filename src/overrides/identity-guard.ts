import type { Manifest } from "#api/meta/manifest.ts";
import { isSystemKey } from "#api/meta/system-keys.ts";
import { jsonEquals, member } from "#base/json.ts";

/** What of an object's metadata is not an overrider's to change, besides the system's labels and annotations. */
export const guardedMetadata = ["name", "namespace", "generateName", "uid", "ownerReferences", "finalizers"] as const;

/**
 * What of an object's identity differs between two manifests, as a field path: a copy in a member must be known as the copy of its
 * template, whatever overriders do. Undefined when nothing does.
 */
export function identityChange(before: Manifest, after: Manifest): string | undefined {
  if (before.apiVersion !== after.apiVersion) return "apiVersion";
  if (before.kind !== after.kind) return "kind";
  const changed = guardedMetadata.find((field) => !jsonEquals(before.metadata[field], after.metadata[field]));
  if (changed !== undefined) return `metadata.${changed}`;
  for (const field of ["labels", "annotations"] as const) {
    const key = changedSystemKey(before.metadata[field] ?? {}, after.metadata[field] ?? {});
    if (key !== undefined) return `metadata.${field}[${key}]`;
  }
  return undefined;
}

function changedSystemKey(before: object, after: object): string | undefined {
  if (before === after) return undefined;
  let first: string | undefined;
  for (const object of [before, after])
    for (const key in object)
      if (member(before, key) !== member(after, key) && isSystemKey(key) && (first === undefined || key < first))
        first = key;
  return first;
}
