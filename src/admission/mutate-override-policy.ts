import type { Draft, Fields } from "#api/meta/object-meta.ts";
import { fillSelectorNamespaces } from "./fill-selector-namespaces.ts";
import { objectIn } from "./raw-fields.ts";

/** Completes an override policy of either scope in place: one with a namespace selects in it. */
export function mutateOverridePolicy(policy: Draft): void {
  const spec: Fields | undefined = objectIn(policy, "spec");
  if (spec !== undefined) fillSelectorNamespaces(spec, policy.metadata.namespace);
}
