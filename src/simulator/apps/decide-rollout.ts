import type { SimulatedObject } from "../simulated-object.ts";
import { isBeingScaled, scaleInProportion } from "./decide-scaling.ts";
import { rolloutLimits } from "./rollout-limits.ts";

export interface RolloutFacts {
  readonly deployment: SimulatedObject;
  readonly newest: SimulatedObject | undefined;
  /** Oldest first. */
  readonly old: readonly SimulatedObject[];
  readonly hasPods: (replicaSet: SimulatedObject) => boolean;
}

export interface Scaling {
  readonly set: SimulatedObject;
  readonly replicas: number;
}

/** The next move of a rollout. */
export interface Rollout {
  /** With how many replicas the newest ReplicaSet is to be created; undefined when its time has not come. */
  readonly creation?: number;
  readonly scalings: readonly Scaling[];
}

export function decideRollout(facts: RolloutFacts): Rollout {
  const { spec } = facts.deployment;
  const scalings = isBeingScaled(facts) || spec["paused"] === true ? scaleInProportion(facts) : [];
  if (spec["paused"] === true || scalings.length > 0) return { scalings };
  return spec["strategy"]?.type === "Recreate" ? recreate(facts) : roll(facts);
}

function recreate({ deployment, newest, old, hasPods }: RolloutFacts): Rollout {
  const running = old.filter((set) => replicasOf(set) > 0);
  if (running.length > 0) return { scalings: running.map((set) => ({ set, replicas: 0 })) };
  if (old.some(hasPods)) return { scalings: [] };
  if (newest === undefined) return { creation: wanted(deployment), scalings: [] };
  return { scalings: scaleTo(newest, wanted(deployment)) };
}

function roll(facts: RolloutFacts): Rollout {
  const { deployment, newest, old } = facts;
  const { surge } = rolloutLimits(deployment.spec);
  const present = sum(old, replicasOf) + (newest === undefined ? 0 : replicasOf(newest));
  const room = Math.max(wanted(deployment) + surge - present, 0);
  const current = newest === undefined ? 0 : replicasOf(newest);
  const next = Math.min(current + room, wanted(deployment));
  if (newest === undefined) return { creation: next, scalings: [] };
  const grown = scaleTo(newest, next);
  return { scalings: grown.length > 0 ? grown : shrinkOld({ ...facts, newest }) };
}

/** Old pods go as new ones become available; those that are not available themselves go first. */
function shrinkOld({
  deployment,
  newest,
  old,
}: RolloutFacts & { readonly newest: SimulatedObject }): readonly Scaling[] {
  const { unavailable } = rolloutLimits(deployment.spec);
  const minAvailable = wanted(deployment) - unavailable;
  const total = sum(old, replicasOf) + replicasOf(newest);
  const newUnavailable = replicasOf(newest) - availableOf(newest);
  let removable = total - minAvailable - newUnavailable;
  if (removable <= 0) return [];
  const left = new Map(old.map((set) => [set, replicasOf(set)]));
  for (const set of old) {
    const sick = Math.min(removable, Math.max(replicasOf(set) - availableOf(set), 0));
    removable -= sick;
    left.set(set, replicasOf(set) - sick);
  }
  let spare = sum(old, availableOf) + availableOf(newest) - minAvailable;
  for (const set of old) {
    const healthy = Math.max(Math.min(spare, removable, left.get(set) ?? 0), 0);
    spare -= healthy;
    removable -= healthy;
    left.set(set, (left.get(set) ?? 0) - healthy);
  }
  return old.flatMap((set) => scaleTo(set, left.get(set) ?? 0));
}

function scaleTo(set: SimulatedObject, replicas: number): readonly Scaling[] {
  return replicasOf(set) === replicas ? [] : [{ set, replicas }];
}

function wanted({ spec }: SimulatedObject): number {
  return spec["replicas"] ?? 1;
}

function replicasOf({ spec }: SimulatedObject): number {
  return spec["replicas"] ?? 1;
}

/** A status that is behind its spec never counts for more than the spec asks for. */
function availableOf(set: SimulatedObject): number {
  return Math.min(set.status?.["availableReplicas"] ?? 0, replicasOf(set));
}

function sum(sets: readonly SimulatedObject[], value: (set: SimulatedObject) => number): number {
  return sets.reduce((total, set) => total + value(set), 0);
}
