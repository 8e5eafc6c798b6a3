import { createHash } from "node:crypto";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { reconcileRequestAnnotation, skipAutoPropagationLabel } from "#api/work/template-keys.ts";
import { isJsonObject, stringifyJson } from "#base/json.ts";

/**
 * A hash of what users say in a template: all but status, what the server keeps, and keys of karmada.io (ruling 3). Two contents of
 * the same hash are the same content: a static policy waits until the hash changes.
 */
export function contentHash({ metadata, status: _, ...rest }: ApiObject): string {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const said = { ...rest, labels: users(labels), annotations: users(annotations), finalizers, ownerReferences };
  return createHash("sha256")
    .update(stringifyJson(sorted(said)))
    .digest("hex")
    .slice(0, 32);
}

/** Keys of the system's domain that users set to be heard. */
const usersOwn: ReadonlySet<string> = new Set([skipAutoPropagationLabel, reconcileRequestAnnotation]);

function users(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => usersOwn.has(key) || !isSystemKey(key)));
}

function isSystemKey(key: string): boolean {
  const domain = key.slice(0, Math.max(0, key.indexOf("/")));
  return domain === "karmada.io" || domain.endsWith(".karmada.io");
}

/** The same value however its members were ordered. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}
