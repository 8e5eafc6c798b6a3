import type { ApiObject } from "#api/meta/object-meta.ts";
import { reconcileRequestAnnotation, skipAutoPropagationLabel } from "#api/work/template-keys.ts";
import { jsonHash } from "./json-hash.ts";

/**
 * A hash of what users say in a template: all but status, what the server keeps, and keys of karmada.io (ruling 3). Two contents of
 * the same hash are the same content: a static policy waits until the hash changes.
 */
export function contentHash({ metadata, status: _, ...rest }: ApiObject): string {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const said = { ...rest, labels: users(labels), annotations: users(annotations), finalizers, ownerReferences };
  return jsonHash(said);
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
