import { labelValueErrors } from "#api/meta/names.ts";
import type { ObjectMeta } from "#api/meta/object-meta.ts";
import { type Policy, PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { membersBut, mergeMembers } from "#base/json.ts";

/** Who claimed a template or binding, as its metadata say. */
export interface Claim {
  readonly policyId: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

const families = Object.values(PropagationPolicies.traits);
const claimAnnotations: ReadonlySet<string> = new Set(
  families.flatMap(({ nameKey, namespaceKey }) => [nameKey, ...(namespaceKey === undefined ? [] : [namespaceKey])]),
);
const claimLabels: ReadonlySet<string> = new Set([...families.map(({ idLabel }) => idLabel), ...claimAnnotations]);

/** The claim that an object carries; a namespaced policy's before a cluster-scoped one's, an incomplete one is none. */
export function claimOf({
  labels = {},
  annotations = {},
}: Pick<ObjectMeta, "labels" | "annotations">): Claim | undefined {
  for (const { idLabel, nameKey, namespaceKey } of families) {
    const policyId = labels[idLabel];
    const name = annotations[nameKey];
    const namespace = namespaceKey === undefined ? undefined : annotations[namespaceKey];
    if (!policyId || !name || (namespaceKey !== undefined && !namespace)) continue;
    return { policyId, name, namespace };
  }
  return undefined;
}

export interface ClaimMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The labels and annotations by which a policy marks what it claimed; names also as labels, so that `-l` selects (ruling 15). */
export function claimMetadata(policy: Policy): ClaimMetadata {
  const { idLabel, nameKey, namespaceKey } = PropagationPolicies.traits[policy.kind];
  const { name, namespace, labels = {} } = policy.metadata;
  const names = { [nameKey]: name, ...(namespaceKey === undefined ? {} : { [namespaceKey]: namespace ?? "" }) };
  const asLabels = Object.entries(names).filter(([, value]) => labelValueErrors(value).length === 0);
  return { labels: { [idLabel]: labels[idLabel] ?? "", ...Object.fromEntries(asLabels) }, annotations: names };
}

/** The permanent id of a policy; empty until admission has given it one. */
export function policyIdOf({ kind, metadata }: Policy): string {
  return metadata.labels?.[PropagationPolicies.traits[kind].idLabel] ?? "";
}

/**
 * The change of labels and annotations that makes `wanted` the only claim, as a merge patch has it (null removes);
 * undefined when it is so already.
 */
export function claimPatch(metadata: Pick<ObjectMeta, "labels" | "annotations">, wanted: ClaimMetadata | undefined) {
  const labels = changes(metadata.labels ?? {}, wanted?.labels ?? {}, claimLabels);
  const annotations = changes(metadata.annotations ?? {}, wanted?.annotations ?? {}, claimAnnotations);
  if (Object.keys(labels).length + Object.keys(annotations).length === 0) return undefined;
  return {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

function changes(
  present: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  keys: ReadonlySet<string>,
): Record<string, string | null> {
  const result: Record<string, string | null> = {};
  for (const key of keys) {
    if (wanted[key] === present[key]) continue;
    result[key] = wanted[key] ?? null;
  }
  return result;
}

/** The metadata without any claim, and with the wanted one. */
export function withClaim(
  metadata: Pick<ObjectMeta, "labels" | "annotations">,
  wanted: ClaimMetadata | undefined,
): ClaimMetadata {
  return {
    labels: mergeMembers(membersBut(metadata.labels ?? {}, claimLabels), wanted?.labels),
    annotations: mergeMembers(membersBut(metadata.annotations ?? {}, claimAnnotations), wanted?.annotations),
  };
}
