import type { BindingSpec } from "#api/work/resource-binding.ts";
import { sortedByName } from "#base/byte-order.ts";
import type { Candidate } from "./candidates.ts";
import { type DividedByCapacity, divideByCapacity } from "./divide-by-capacity.ts";
import { divideByWeight, type Share } from "./divide-by-weight.ts";
import { type ReplicaStrategy, strategyOf } from "./replica-strategy.ts";
import { staticWeights } from "./static-weights.ts";

/** Replicas to give to selected clusters. */
export interface Assignment {
  /** In order of preference. */
  readonly candidates: readonly Candidate[];
  readonly spec: BindingSpec;
  /** Whether someone asked to forget the previous result. */
  readonly fresh: boolean;
  /** Whether tiers are filled one after the other. */
  readonly overflows: boolean;
}

/** Who gets how many replicas and how that came about, or why it cannot be done. */
export type Assigned = {
  /** Absent for what runs no replicas. */
  readonly strategy?: ReplicaStrategy;
  /** The fixed weights, if those decided. */
  readonly weights?: readonly Share[];
  /** The divisions by capacity, if those decided: one for each tier that was used, else one. */
  readonly divisions?: readonly DividedByCapacity[];
} & (
  | { readonly targets: readonly Target[]; readonly failure?: never }
  | { readonly targets?: never; readonly failure: AssignFailure }
);

/** A chosen cluster; without replicas when the template runs none. */
export interface Target {
  readonly name: string;
  readonly replicas?: number;
}

export interface AssignFailure {
  readonly reason: "Unschedulable" | "SchedulerError";
  readonly message: string;
}

/** Gives replicas to the selected clusters. The targets are sorted by name; a cluster that gets none of some replicas is no target. */
export function assignReplicas(assignment: Assignment): Assigned {
  const { candidates, spec } = assignment;
  if (candidates.length === 0) {
    return { failure: { reason: "SchedulerError", message: "no clusters available to schedule" } };
  }
  if (!isDivisible(spec)) return { targets: sortedByName(candidates.map(({ name }) => ({ name }))) };
  const { placement = {}, replicas = 0 } = spec;
  const strategy = strategyOf(placement);
  switch (strategy) {
    case "Duplicated":
      return { strategy, targets: targetsOf(candidates.map(({ name }) => ({ name, replicas }))) };
    case "StaticWeight": {
      const weights = staticWeights(candidates, placement);
      return { strategy, weights, targets: targetsOf(divideByWeight({ replicas, weights, uid: uidOf(spec) })) };
    }
    case "DynamicWeight":
    case "Aggregated":
      return { strategy, ...(assignment.overflows ? fillTiers(assignment) : divideAll(assignment)) };
    case undefined:
      return { failure: { reason: "SchedulerError", message: unsupported(spec) } };
  }
}

/** A workload of several components goes whole to every cluster, like what runs no replicas at all. */
function isDivisible({ replicas = 0, replicaRequirements, components = [] }: BindingSpec): boolean {
  return (replicas > 0 || replicaRequirements !== undefined) && components.length <= 1;
}

function unsupported({ placement }: BindingSpec): string {
  const { replicaSchedulingType = "", replicaDivisionPreference = "" } = placement?.replicaScheduling ?? {};
  return `unsupported replica scheduling strategy, replicaSchedulingType: ${replicaSchedulingType}, replicaDivisionPreference: ${replicaDivisionPreference}, please try another scheduling strategy`;
}

const failedStep = { keep: "", "scale up": "scale up", "scale down": "scale down", fresh: "do fresh scale" } as const;

function divideAll(assignment: Assignment): Assigned {
  const division = divideByCapacity(capacityDivision(assignment, assignment.candidates, assignment.spec.replicas ?? 0));
  if (division.shortOf === undefined) return { divisions: [division], targets: targetsOf(division.shares) };
  const message = `failed to ${failedStep[division.step]}: Clusters available replicas ${division.shortOf.room} are not enough to schedule.`;
  return { divisions: [division], failure: { reason: "Unschedulable", message } };
}

/** Each tier takes what it can before the next one gets any. */
function fillTiers(assignment: Assignment): Assigned {
  const divisions: DividedByCapacity[] = [];
  let left = assignment.spec.replicas ?? 0;
  const shares: Share[] = [];
  for (const tier of tiersOf(assignment.candidates)) {
    const room = tier.reduce((sum, { available }) => sum + available, 0);
    const taken = Math.min(left, room);
    if (taken === 0) continue;
    const division = divideByCapacity(capacityDivision(assignment, tier, taken));
    divisions.push(division);
    if (division.shares === undefined) break;
    shares.push(...division.shares);
    left -= taken;
  }
  if (left === 0) return { divisions, targets: targetsOf(shares) };
  const message = "Clusters available replicas are not enough to schedule.";
  return { divisions, failure: { reason: "Unschedulable", message } };
}

function tiersOf(candidates: readonly Candidate[]): Candidate[][] {
  const tiers = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const tier = tiers.get(candidate.overflowOrder);
    if (tier === undefined) tiers.set(candidate.overflowOrder, [candidate]);
    else tier.push(candidate);
  }
  return [...tiers].toSorted(([a], [b]) => a - b).map(([, tier]) => tier);
}

function capacityDivision({ spec, fresh }: Assignment, candidates: readonly Candidate[], replicas: number) {
  const previous = (spec.clusters ?? []).map(({ name, replicas: had = 0 }) => ({ name, replicas: had }));
  const aggregated = strategyOf(spec.placement ?? {}) === "Aggregated";
  return { candidates, replicas, previous, aggregated, fresh, uid: uidOf(spec) };
}

function uidOf({ resource }: BindingSpec): string {
  return resource.uid ?? "";
}

function targetsOf(shares: readonly Share[]): Target[] {
  return sortedByName(shares.filter(({ replicas }) => replicas > 0));
}
