import type { Fields } from "#api/meta/object-meta.ts";
import { isUnset, objectsIn } from "./raw-fields.ts";

/**
 * Writes the namespace of a namespaced policy into its selectors; a policy without namespace leaves them open. Excluding selectors
 * stay as they are: one that names nothing must not come to mean everything.
 */
export function fillSelectorNamespaces(spec: Fields, namespace: string | undefined): void {
  if (namespace === undefined || namespace === "") return;
  for (const selector of objectsIn(spec, "resourceSelectors")) {
    if (isUnset(selector["namespace"])) selector["namespace"] = namespace;
  }
}
