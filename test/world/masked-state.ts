import { isJsonObject } from "#base/json.ts";
import type { World } from "./world.ts";

const kept = ["deployments", "namespaces", "configmaps", "secrets"];
const keptInControlPlane = [
  ...kept,
  "propagationpolicies",
  "clusterpropagationpolicies",
  "overridepolicies",
  "resourcebindings",
  "works",
  "clusters",
];
/** What differs between two runs that did the same. */
const passing: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "managedFields",
  "generation",
  "observedGeneration",
  "schedulerObservedGeneration",
  "creationTimestamp",
  "lastTransitionTime",
  "lastUpdateTime",
  "lastScheduledTime",
  "resourceSummary",
]);
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** All that matters in a world, by cluster and object, without what differs from run to run: ids, revisions, times. */
export function maskedState(world: World): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const plural of keptInControlPlane)
    for (const object of world.list(plural))
      state[`${plural}/${object.metadata.namespace ?? ""}/${object.metadata.name}`] = mask(object);
  for (const { name } of world.fleet.members) {
    for (const plural of kept)
      for (const object of world.member(name).list(plural))
        state[`${name}: ${plural}/${object.metadata.namespace ?? ""}/${object.metadata.name}`] = mask(object);
  }
  return state;
}

function mask(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(ids, "<id>");
  if (Array.isArray(value)) return value.map(mask);
  if (!isJsonObject(value as never)) return value;
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([key]) => !passing.has(key))
      .map(([key, each]) => [key, key === "deletionTimestamp" ? "<time>" : mask(each)]),
  );
}

/** Where two states differ, as lines `path: one | other`. */
export function differences(a: unknown, b: unknown, path = ""): readonly string[] {
  if (Object.is(a, b)) return [];
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return [`${path}: ${JSON.stringify(a)?.slice(0, 200)} | ${JSON.stringify(b)?.slice(0, 200)}`];
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]; // by name, or by position
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    differences(one[key], other[key], path === "" ? key : `${path}.${key}`),
  );
}
