import type { ApiObject } from "#api/meta/object-meta.ts";
import { dependedByLabelPrefix } from "#api/work/binding-keys.ts";
import { bindingNameOf, dependedByLabelOf } from "#api/work/derived-names.ts";
import { type Binding, type BindingSpec, ResourceBindings } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { compareBytes } from "#base/byte-order.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import { decideStrategy } from "./decide-strategy.ts";

export interface AttachedFacts {
  /** The dependency, as the control plane has it. */
  readonly object: ApiObject;
  /** Its binding, whoever made it. */
  readonly binding: Binding | undefined;
  /** The bindings that it shall follow. */
  readonly referrers: readonly Binding[];
  /** Gate PropagateDeps; while it is off, nothing is attached anew and nothing moves. */
  readonly enabled: boolean;
  /** In what the referrers disagree, and what that was when this was last looked at; empty: nothing, undefined: never looked. */
  readonly conflict: string | undefined;
  readonly formerConflict: string | undefined;
}

export interface PutBinding {
  readonly do: "putBinding";
  readonly wanted: Binding;
  /** Those whose entry is new or has changed. */
  readonly synced: readonly Binding[];
  readonly conflict: string | undefined;
  /** Whether copies come, go or change by it; else it only says who needs what is there anyway. */
  readonly isUrgent: boolean;
}

export type AttachedStep = PutBinding | { readonly do: "warn"; readonly conflict: string };

type Snapshot = NonNullable<BindingSpec["requiredBy"]>[number];

/**
 * The binding of a dependency follows all its referrers and nobody else. It is worked out from scratch each time: what it says now does
 * not matter, except for the part of a policy that claims the dependency itself.
 */
export function decideAttachedBinding(facts: AttachedFacts): Plan<AttachedStep> {
  const { object, binding, referrers, enabled, conflict } = facts;
  const present = binding?.spec.requiredBy ?? [];
  if (binding === undefined && (referrers.length === 0 || !enabled)) return { steps: [] };
  if (binding !== undefined && referrers.length === 0 && !isAttached(binding)) return { steps: [] };
  if (object.metadata.deletionTimestamp !== undefined) return { steps: [] }; // its binding goes with it
  if (binding !== undefined && !isBoundTo(binding, object)) {
    if (referrers.length === 0) return { steps: [] };
    return { steps: [], waitFor: { reason: "the binding of a former object of this name is being collected" } };
  }
  if (binding?.metadata.deletionTimestamp !== undefined)
    return { steps: [], waitFor: { reason: "its binding is being deleted" } };
  const byReferrer = new Map(present.map((each) => [keyOfSnapshot(each), each]));
  const requiredBy = enabled ? snapshotsOf(referrers) : kept(byReferrer, referrers);
  const wanted = attachedBinding(facts, requiredBy);
  if (binding !== undefined && sameButRevision(wanted, binding)) return { steps: newConflict(facts) };
  const entries = new Map(requiredBy.map((each) => [keyOfSnapshot(each), each]));
  const synced = referrers.filter((referrer) => {
    const key = bindingKey(referrer);
    return !jsonEquals(byReferrer.get(key), entries.get(key));
  });
  const isUrgent = binding === undefined || !jsonEquals(effectOf(wanted), effectOf(binding));
  return { steps: [{ do: "putBinding", wanted, synced, conflict, isUrgent }] };
}

/** What of a binding reaches members: where copies are because of referrers, and how they are treated. */
function effectOf({ spec }: Binding): unknown {
  const places = (spec.requiredBy ?? []).flatMap(({ clusters = [] }) => clusters.map(({ name }) => name));
  return [[...new Set(places)].toSorted(), spec.conflictResolution, spec.preserveResourcesOnDeletion];
}

/** Whoever agreed before may disagree now without anything else to change; what was so when this process began is no news. */
function newConflict({ conflict, formerConflict }: AttachedFacts): readonly AttachedStep[] {
  if (conflict === undefined || formerConflict === undefined || conflict === formerConflict) return [];
  return [{ do: "warn", conflict }];
}

/** Where the dependency is needed: where the referrer is, and where it still drains. Sorted by name. */
function snapshotsOf(referrers: readonly Binding[]): readonly Snapshot[] {
  return referrers
    .map(({ metadata, spec }) => ({
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      name: metadata.name,
      clusters: occupiedClusters(spec),
    }))
    .toSorted((a, b) => compareBytes(a.namespace ?? "", b.namespace ?? "") || compareBytes(a.name, b.name));
}

/** A copy that is evicted gracefully serves until its task is done, and needs its configuration until then. */
function occupiedClusters({ clusters = [], gracefulEvictionTasks = [] }: BindingSpec): readonly TargetCluster[] {
  const occupied = new Map(clusters.map((target) => [target.name, target]));
  for (const { fromCluster, purgeMode } of gracefulEvictionTasks) {
    if (purgeMode !== "Directly" && !occupied.has(fromCluster)) occupied.set(fromCluster, { name: fromCluster });
  }
  return [...occupied.values()].toSorted((a, b) => compareBytes(a.name, b.name));
}

function attachedBinding({ object, binding, referrers }: AttachedFacts, requiredBy: readonly Snapshot[]): Binding {
  const { apiVersion, kind: templateKind, metadata } = object;
  const { name, namespace, uid, resourceVersion } = metadata;
  const kind = ResourceBindings.kindFor(namespace);
  const inNamespace = namespace === undefined ? {} : { namespace };
  const { requiredBy: _, ...spec } = binding?.spec ?? ({} as Partial<BindingSpec>);
  const { conflictResolution: __, preserveResourcesOnDeletion: ___, ...unclaimed } = spec;
  return {
    ...binding,
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: {
      ...binding?.metadata,
      name: bindingNameOf({ kind: templateKind, name }),
      ...inNamespace,
      labels: labelsOf(binding, referrers),
      finalizers: [...new Set([...(binding?.metadata.finalizers ?? []), ResourceBindings.traits[kind.kind].finalizer])],
      ownerReferences: [{ apiVersion, kind: templateKind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      // where a policy claims the dependency, or did, its word stands
      ...(spec.placement === undefined ? { ...unclaimed, ...decideStrategy(referrers).strategy } : spec),
      resource: { apiVersion, kind: templateKind, ...inNamespace, name, uid, resourceVersion },
      ...(requiredBy.length === 0 ? {} : { requiredBy }),
    },
  } as unknown as Binding; // complete once stored
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

/** Whether a binding follows another, or bears the mark of one that it followed. */
export function isAttached({ metadata, spec }: Binding): boolean {
  const labels = Object.keys(metadata.labels ?? {});
  return (spec.requiredBy ?? []).length > 0 || labels.some((key) => key.startsWith(dependedByLabelPrefix));
}

function isBoundTo({ metadata, spec }: Binding, { metadata: { uid } }: ApiObject): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return (owner?.uid ?? spec.resource.uid ?? uid) === uid;
}

function keyOfSnapshot({ namespace = "", name }: Snapshot): string {
  return `${namespace}/${name}`;
}

/** The entries of those that are still there, as they are. */
function kept(present: ReadonlyMap<string, Snapshot>, referrers: readonly Binding[]): readonly Snapshot[] {
  const still = new Set(referrers.map(bindingKey));
  return [...present].filter(([key]) => still.has(key)).map(([, each]) => each);
}

/** Works follow the dependency itself, so its revision alone is not worth a write. */
function sameButRevision(wanted: Binding, present: Binding): boolean {
  const masked = ({ spec, ...rest }: Binding) => ({
    ...rest,
    spec: { ...spec, resource: { ...spec.resource, resourceVersion: "" } },
  });
  return jsonEquals(masked(wanted), masked(present));
}
