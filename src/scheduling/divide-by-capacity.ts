import type { Candidate } from "./candidates.ts";
import { divideByWeight, type Share, sumOf } from "./divide-by-weight.ts";

/** How a division by capacity treats what is there already. */
export type DivisionStep =
  /** The desired number is there: nothing moves. */
  | "keep"
  /** More is there than desired: what stays is divided as it was. */
  | "scale down"
  /** Less is there than desired, or nothing yet: only the difference is divided, over the room that is left. */
  | "scale up"
  /** Someone asked for a fresh schedule: everything is divided anew, over the room there is without it. */
  | "fresh";

/** Replicas to divide over what clusters have left. */
export interface CapacityDivision {
  readonly candidates: readonly Candidate[];
  readonly replicas: number;
  readonly previous: readonly Share[];
  /** Whether to use as few clusters as possible. */
  readonly aggregated: boolean;
  readonly fresh: boolean;
  readonly uid: string;
}

/** A division and how it came about, or how much room there was where it was not enough. */
export type DividedByCapacity = {
  readonly step: DivisionStep;
  /** The weights that were used: room, or previous replicas when scaling down. */
  readonly weights: readonly Share[];
} & (
  | { readonly shares: readonly Share[]; readonly shortOf?: never }
  | { readonly shares?: never; readonly shortOf: { readonly room: number; readonly needed: number } }
);

/**
 * Divides replicas by what clusters have left and moves as little as possible: what runs and still fits stays, unless a
 * fresh division is asked for. Clusters that are no candidates any more count as if they ran nothing.
 *
 * Upstream: karmada pkg/scheduler/core/assignment.go and division_algorithm.go.
 */
export function divideByCapacity(division: CapacityDivision): DividedByCapacity {
  const { candidates, replicas, fresh } = division;
  const names = new Set(candidates.map(({ name }) => name));
  const running = division.previous.filter(({ name }) => names.has(name));
  if (fresh) {
    const room = byRoom(candidates, running);
    return divide(division, { step: "fresh", target: replicas, weights: room, kept: [] });
  }
  const assigned = sumOf(running);
  if (assigned === replicas) return { step: "keep", weights: [], shares: running };
  if (assigned > replicas) {
    return divide(division, { step: "scale down", target: replicas, weights: mostFirst(running), kept: [] });
  }
  return divide(division, {
    step: "scale up",
    target: replicas - assigned,
    weights: byRoom(candidates, []),
    kept: running,
  });
}

interface Part {
  readonly step: DivisionStep;
  readonly target: number;
  readonly weights: readonly Share[];
  readonly kept: readonly Share[];
}

function divide({ aggregated, uid }: CapacityDivision, { step, target, weights, kept }: Part): DividedByCapacity {
  const room = sumOf(weights);
  if (room < target) return { step, weights, shortOf: { room, needed: target } };
  const used = aggregated ? fewest(usedFirst(weights, kept), target) : weights;
  return { step, weights: used, shares: add(kept, divideByWeight({ replicas: target, weights: used, uid })) };
}

/** What is kept has no say in how the rest is divided. */
function add(kept: readonly Share[], more: readonly Share[]): readonly Share[] {
  if (kept.length === 0) return more;
  const sums = new Map(kept.map(({ name, replicas }) => [name, replicas]));
  for (const { name, replicas } of more) sums.set(name, (sums.get(name) ?? 0) + replicas);
  return [...sums].map(([name, replicas]) => ({ name, replicas }));
}

/** The room of each candidate, with what it runs itself where that is to be divided anew. Equals keep the order of preference. */
function byRoom(candidates: readonly Candidate[], running: readonly Share[]): Share[] {
  const own = new Map(running.map(({ name, replicas }) => [name, replicas]));
  return mostFirst(candidates.map(({ name, allocatable }) => ({ name, replicas: allocatable + (own.get(name) ?? 0) })));
}

function mostFirst(shares: readonly Share[]): Share[] {
  return shares.toSorted((a, b) => b.replicas - a.replicas);
}

function usedFirst(weights: readonly Share[], kept: readonly Share[]): readonly Share[] {
  const used = new Set(kept.filter(({ replicas }) => replicas > 0).map(({ name }) => name));
  if (used.size === 0) return weights;
  return [...weights.filter(({ name }) => used.has(name)), ...weights.filter(({ name }) => !used.has(name))];
}

/** The shortest beginning that has room for all; inside it replicas are divided by room, not filled up one cluster after the other. */
function fewest(weights: readonly Share[], target: number): readonly Share[] {
  let room = 0;
  const last = weights.findIndex(({ replicas }) => {
    room += replicas;
    return room >= target;
  });
  return weights.slice(0, last + 1);
}
