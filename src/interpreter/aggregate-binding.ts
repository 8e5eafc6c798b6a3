import { clusterOfExecutionNamespace } from "#api/cluster/namespaces.ts";
import type { Condition } from "#api/meta/condition.ts";
import { withConditions } from "#api/meta/with-condition.ts";
import { appliedCondition, fullyAppliedCondition } from "#api/work/condition-reasons.ts";
import { type Binding, type BindingStatus, ResourceBindings } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { compareBytes } from "#base/byte-order.ts";
import { isJsonObject } from "#base/json.ts";
import type { StatusItem } from "./aggregate-status.ts";
import { type Interpretation, interpret, Malformed } from "./interpretation.ts";

/**
 * What the works of a binding say of it: the state of each copy, sorted by cluster, and whether all that should be applied is. Works of
 * others and works on their way out do not count.
 */
export function aggregateBindingStatus(
  binding: Binding,
  { works, now }: { readonly works: readonly Work[]; readonly now: string },
): Interpretation<BindingStatus> {
  return interpret(binding, () => {
    const { aggregatedStatus: _, ...old } = binding.status ?? {};
    const items = works
      .filter((work) => isOf(work, binding))
      .map((work) => itemOf(work, binding))
      .toSorted((a, b) => compareBytes(a.clusterName, b.clusterName));
    return {
      ...old,
      conditions: withFullyApplied(old.conditions ?? [], { applied: isFullyApplied(binding, items), now }),
      ...(items.length > 0 && { aggregatedStatus: items }),
    };
  });
}

/** The clusters that must have a copy: targets, those that referrers need, and those that are left but not at once. */
export function expectedClusters({ spec }: Binding): ReadonlySet<string> {
  const { clusters = [], requiredBy = [], gracefulEvictionTasks = [] } = spec;
  return new Set([
    ...clusters.map(({ name }) => name),
    ...requiredBy.flatMap((referrer) => (referrer.clusters ?? []).map(({ name }) => name)),
    ...gracefulEvictionTasks.filter(({ purgeMode }) => purgeMode !== "Directly").map(({ fromCluster }) => fromCluster),
  ]);
}

function isOf({ metadata }: Work, binding: Binding): boolean {
  const { idLabel } = ResourceBindings.traits[binding.kind];
  const id = binding.metadata.labels?.[idLabel];
  return id !== undefined && metadata.labels?.[idLabel] === id && metadata.deletionTimestamp === undefined;
}

function itemOf(work: Work, binding: Binding): StatusItem {
  const clusterName = clusterOfExecutionNamespace(work.metadata.namespace ?? "");
  if (clusterName === undefined) throw new Malformed(`work ${work.metadata.name} stands in no cluster's namespace`);
  const ordinal = ordinalOf(work, binding);
  const applied = work.status?.conditions?.find(({ type }) => type === appliedCondition.type);
  if (applied?.status !== "True") {
    const { message = "" } = applied ?? {};
    return { clusterName, ...(message !== "" && { appliedMessage: message }), health: "Unknown" };
  }
  const found = work.status?.manifestStatuses?.find((each) => isAbout(each.identifier, { binding, ordinal }));
  if (found === undefined) return { clusterName, applied: true, health: "Unknown" };
  const { status, health } = found;
  return {
    clusterName,
    ...(status !== undefined && { status }),
    applied: true,
    ...(health !== undefined && { health }),
  };
}

type ManifestStatus = NonNullable<NonNullable<Work["status"]>["manifestStatuses"]>[number];

/** Where in the work the binding's object is. */
function ordinalOf({ spec, metadata }: Work, { spec: { resource } }: Binding): number {
  const ordinal = (spec.workload?.manifests ?? []).findIndex((manifest) => {
    if (!isJsonObject(manifest) || !isJsonObject(manifest["metadata"])) return false;
    const { name, namespace = "" } = manifest["metadata"];
    const sameType = manifest["apiVersion"] === resource.apiVersion && manifest["kind"] === resource.kind;
    return sameType && name === resource.name && namespace === (resource.namespace ?? "");
  });
  if (ordinal < 0) throw new Malformed(`work ${metadata.name} does not hold ${resource.kind} ${resource.name}`);
  return ordinal;
}

function isAbout(
  identifier: ManifestStatus["identifier"],
  { binding, ordinal }: { readonly binding: Binding; readonly ordinal: number },
): boolean {
  const { apiVersion, kind, namespace = "", name } = binding.spec.resource;
  const { group = "", version } = identifier;
  return (
    identifier.ordinal === ordinal &&
    (group === "" ? version : `${group}/${version}`) === apiVersion &&
    identifier.kind === kind &&
    (identifier.namespace ?? "") === namespace &&
    identifier.name === name
  );
}

function isFullyApplied(binding: Binding, items: readonly StatusItem[]): boolean {
  const expected = expectedClusters(binding);
  const complete = expected.size > 0 && items.length === expected.size;
  return complete && items.every(({ applied, clusterName }) => applied === true && expected.has(clusterName));
}

/** The time of transition moves only when the status does. */
function withFullyApplied(
  conditions: readonly Condition[],
  { applied, now }: { readonly applied: boolean; readonly now: string },
): readonly Condition[] {
  const { type, success, failed } = fullyAppliedCondition;
  const verdict = applied
    ? ({ type, status: "True", ...success } as const)
    : ({ type, status: "False", ...failed } as const);
  return withConditions<Condition>(conditions, [verdict], now);
}
