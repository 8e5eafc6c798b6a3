import type { SimulatedObject } from "../simulated-object.ts";
import type { RolloutFacts, Scaling } from "./decide-rollout.ts";
import { desiredAnnotation, maxAnnotation } from "./replica-set-of-template.ts";
import { rolloutLimits } from "./rollout-limits.ts";

/**
 * Whether the wanted number has changed since the ReplicaSets were last sized: each remembers the number of its time. One that
 * remembers none is not asked.
 */
export function isBeingScaled({ deployment, newest, old }: RolloutFacts): boolean {
  const sets = active(newest === undefined ? old : [...old, newest]);
  return sets.some((set) => {
    const desired = numberIn(set, desiredAnnotation);
    return desired !== undefined && desired !== wanted(deployment);
  });
}

/**
 * Sizes the ReplicaSets for a new number without hastening the rollout: a lone one follows it, several share what is added or taken
 * away by their present sizes. All of them are named, because all of them must remember the number.
 *
 * Upstream: k8s.io/kubernetes pkg/controller/deployment/sync.go.
 */
export function scaleInProportion({ deployment, newest, old }: RolloutFacts): readonly Scaling[] {
  const sets = active(newest === undefined ? old : [...old, newest]);
  const lone = sets.length === 0 ? (newest ?? old.at(-1)) : sets.length === 1 ? sets[0] : undefined;
  if (lone !== undefined) return [{ set: lone, replicas: wanted(deployment) }];
  if (newest !== undefined && isSaturated(deployment, newest)) {
    return active(old).map((set) => ({ set, replicas: 0 }));
  }
  return deployment.spec["strategy"]?.type === "Recreate" ? [] : share(deployment, sets);
}

function share(deployment: SimulatedObject, sets: readonly SimulatedObject[]): readonly Scaling[] {
  const most = wanted(deployment) === 0 ? 0 : mostOf(deployment);
  const toAdd = most - sets.reduce((total, set) => total + replicasOf(set), 0);
  const ordered = sets.toSorted((a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? newer(a, b) : newer(b, a)));
  let left = toAdd;
  const sizes = ordered.map((set) => {
    const part = fractionOf(deployment, set);
    const added = toAdd > 0 ? Math.min(part, left) : toAdd < 0 ? Math.max(part, left) : 0;
    left -= added;
    return { set, replicas: replicasOf(set) + added };
  });
  return sizes.map((size, index) => (index === 0 ? { ...size, replicas: Math.max(size.replicas + left, 0) } : size));
}

/** By how much a ReplicaSet changes when it keeps its share of the whole. */
function fractionOf(deployment: SimulatedObject, set: SimulatedObject): number {
  const size = replicasOf(set);
  if (wanted(deployment) === 0) return -size;
  const before = numberIn(set, maxAnnotation) || deployment.status?.["replicas"] || 0;
  return before === 0 ? 0 : Math.round((size * mostOf(deployment)) / before) - size;
}

function mostOf(deployment: SimulatedObject): number {
  return wanted(deployment) + rolloutLimits(deployment.spec).surge;
}

function isSaturated(deployment: SimulatedObject, newest: SimulatedObject): boolean {
  const number = wanted(deployment);
  const available: number = newest.status?.["availableReplicas"] ?? 0;
  return replicasOf(newest) === number && numberIn(newest, desiredAnnotation) === number && available === number;
}

function active(sets: readonly SimulatedObject[]): readonly SimulatedObject[] {
  return sets.filter((set) => replicasOf(set) > 0);
}

function newer(a: SimulatedObject, b: SimulatedObject): number {
  return a.metadata.creationTimestamp > b.metadata.creationTimestamp
    ? -1
    : a.metadata.creationTimestamp < b.metadata.creationTimestamp
      ? 1
      : a.metadata.name < b.metadata.name
        ? -1
        : 1;
}

function numberIn({ metadata }: SimulatedObject, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation];
  return text === undefined || !/^[0-9]+$/.test(text) ? undefined : Number(text);
}

function wanted({ spec }: SimulatedObject): number {
  return spec["replicas"] ?? 1;
}

function replicasOf({ spec }: SimulatedObject): number {
  return spec["replicas"] ?? 1;
}
