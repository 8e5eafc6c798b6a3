import type { ObjectMeta } from "#api/meta/object-meta.ts";

/** `policy(shop/web)` or `cluster policy(everything)`: how events and conditions name policies. */
export function policyText({ metadata }: { readonly metadata: Pick<ObjectMeta, "name" | "namespace"> }): string {
  return metadata.namespace === undefined
    ? `cluster policy(${metadata.name})`
    : `policy(${metadata.namespace}/${metadata.name})`;
}
