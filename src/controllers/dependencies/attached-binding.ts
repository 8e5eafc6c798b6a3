import type { ApiObject } from "#api/meta/object-meta.ts";
import { dependedByLabelPrefix } from "#api/work/binding-keys.ts";
import { bindingNameOf, dependedByLabelOf } from "#api/work/derived-names.ts";
import { isHeldBack } from "#api/work/released-clusters.ts";
import { type Binding, type BindingSpec, ResourceBindings } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { compareBytes } from "#base/byte-order.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import { decideStrategy } from "./decide-strategy.ts";

/** Another binding as an attached one knows it. */
export type Snapshot = NonNullable<BindingSpec["requiredBy"]>[number];

/** The key of the binding that a snapshot is of. */
export function keyOfSnapshot({ namespace = "", name }: Snapshot): string {
  return `${namespace}/${name}`;
}

export interface Following {
  /** The binding as it is now. */
  readonly binding: Binding | undefined;
  readonly referrers: readonly Binding[];
  readonly requiredBy: readonly Snapshot[];
}

/** The binding of a dependency that follows these. */
export function attachedBinding(object: ApiObject, following: Following): Binding {
  const { apiVersion, kind: templateKind, metadata } = object;
  const { name, namespace, uid, resourceVersion } = metadata;
  const kind = ResourceBindings.kindFor(namespace);
  const inNamespace = namespace === undefined ? {} : { namespace };
  const { finalizers = [] } = following.binding?.metadata ?? {};
  const part = followingPart(following);
  return {
    ...following.binding,
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: {
      ...part.metadata,
      name: bindingNameOf({ kind: templateKind, name }),
      ...inNamespace,
      finalizers: [...new Set([...finalizers, ResourceBindings.traits[kind.kind].finalizer])],
      ownerReferences: [{ apiVersion, kind: templateKind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      ...part.spec,
      resource: { apiVersion, kind: templateKind, ...inNamespace, name, uid, resourceVersion },
    },
  } as unknown as Binding; // complete once stored
}

/** A binding that follows these and is otherwise left alone. */
export function releasedBinding(binding: Binding, following: Omit<Following, "binding">): Binding {
  return { ...binding, ...followingPart({ ...following, binding }) } as Binding; // the same with less
}

/**
 * Where the dependency is needed: where the referrer is, where it still drains, and where it was and its change is not released yet.
 * Sorted by name.
 */
export function snapshotsOf(referrers: readonly Binding[], former: readonly Snapshot[] = []): readonly Snapshot[] {
  const before = new Map(former.map((each) => [keyOfSnapshot(each), each]));
  return referrers
    .map((referrer) => {
      const { namespace, name } = referrer.metadata;
      const clusters = occupiedClusters(referrer, before.get(bindingKey(referrer))?.clusters ?? []);
      return { ...(namespace === undefined ? {} : { namespace }), name, clusters };
    })
    .toSorted((a, b) => compareBytes(a.namespace ?? "", b.namespace ?? "") || compareBytes(a.name, b.name));
}

/** A copy that is evicted gracefully serves until its task is done, and needs its configuration until then. */
export function occupiedClusters(
  { metadata, spec }: Binding,
  before: readonly TargetCluster[] = [],
): readonly TargetCluster[] {
  const { clusters = [], gracefulEvictionTasks = [] } = spec;
  const occupied = new Map(clusters.map((target) => [target.name, target]));
  for (const { fromCluster, purgeMode } of gracefulEvictionTasks) {
    if (purgeMode !== "Directly" && !occupied.has(fromCluster)) occupied.set(fromCluster, { name: fromCluster });
  }
  for (const target of before) {
    if (!occupied.has(target.name) && isHeldBack(metadata, target.name)) occupied.set(target.name, target);
  }
  return [...occupied.values()].toSorted((a, b) => compareBytes(a.name, b.name));
}

function followingPart({ binding, referrers, requiredBy }: Following) {
  const { requiredBy: _, ...spec } = binding?.spec ?? ({} as Partial<BindingSpec>);
  const { conflictResolution: __, preserveResourcesOnDeletion: ___, ...unclaimed } = spec;
  return {
    metadata: { ...binding?.metadata, labels: labelsOf(binding, referrers) },
    spec: {
      // where a policy claims the dependency, or did, its word stands
      ...(spec.placement === undefined ? { ...unclaimed, ...decideStrategy(referrers).strategy } : spec),
      ...(requiredBy.length === 0 ? {} : { requiredBy }),
    },
  };
}

function labelsOf(binding: Binding | undefined, referrers: readonly Binding[]): Record<string, string> {
  const others = Object.entries(binding?.metadata.labels ?? {}).filter(
    ([key]) => !key.startsWith(dependedByLabelPrefix),
  );
  const marks = referrers.map(({ kind, metadata }) => [
    dependedByLabelOf(metadata),
    metadata.labels?.[ResourceBindings.traits[kind].idLabel] ?? "",
  ]);
  return Object.fromEntries([...others, ...marks]);
}
