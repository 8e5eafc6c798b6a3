import { fnv1a32 } from "#base/fnv1a.ts";
import { allocateSeats } from "./webster.ts";

/** A cluster's share of the replicas, or its weight. */
export interface Share {
  readonly name: string;
  readonly replicas: number;
}

/** Replicas to divide. */
export interface WeightDivision {
  readonly replicas: number;
  /** The weight of each cluster, in `replicas`. */
  readonly weights: readonly Share[];
  /** What clusters have already; it stays and counts. */
  readonly kept?: readonly Share[];
  /** The template's uid: ties fall the same way for one template, but not for all templates alike. */
  readonly uid: string;
}

/** Divides replicas in proportion to weights, on top of what is kept. Without any weight, or without anything to add to what is kept, nothing changes. */
export function divideByWeight({ replicas, weights, kept = [], uid }: WeightDivision): readonly Share[] {
  if (replicas === 0 && kept.length > 0) return kept;
  if (weights.every((weight) => weight.replicas === 0)) return kept;
  const parties = new Map(kept.map(({ name, replicas: seats }) => [name, { name, votes: 0, seats }]));
  for (const { name, replicas: votes } of weights) {
    parties.set(name, { name, votes, seats: parties.get(name)?.seats ?? 0 });
  }
  const divided = allocateSeats({
    newSeats: replicas,
    parties: [...parties.values()],
    lastNameFirst: lastNameFirst(uid),
  });
  return divided.map(({ name, seats }) => ({ name, replicas: seats }));
}

/** Which way ties fall for a template. */
export function lastNameFirst(uid: string): boolean {
  return uid !== "" && fnv1a32(uid) % 2 === 1;
}

/** How many replicas some shares make together. */
export function sumOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { replicas }) => sum + replicas, 0);
}
