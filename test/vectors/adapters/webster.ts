import { sortedByName } from "#base/byte-order.ts";
import { divideByWeight, lastNameFirst, type Share } from "#scheduling/divide-by-weight.ts";
import { allocateSeats } from "#scheduling/webster.ts";
import type { VectorAdapter } from "../vector.ts";

interface SeatsInput {
  readonly newSeats: number;
  readonly votes: Readonly<Record<string, number>>;
  readonly initialSeats: Readonly<Record<string, number>>;
  readonly uid: string;
}

interface SpreadInput {
  readonly replicas: number;
  readonly weights: readonly Share[];
  readonly init?: readonly Share[];
  readonly uid: string;
}

export const adapter: VectorAdapter = {
  allocateWebsterSeats: {
    answer: ({ newSeats, votes, initialSeats, uid }: SeatsInput) => {
      const names = [...new Set([...Object.keys(votes), ...Object.keys(initialSeats)])];
      const parties = names.map((name) => ({ name, votes: votes[name] ?? 0, seats: initialSeats[name] ?? 0 }));
      const divided = allocateSeats({ newSeats, parties, lastNameFirst: lastNameFirst(uid) });
      return { out: { parties: divided.map(({ name, seats }) => ({ name, seats })) } };
    },
  },
  spreadReplicasByTargetClusters: {
    answer: ({ replicas, weights, init = [], uid }: SpreadInput) => {
      const shares = divideByWeight({ replicas, weights, kept: init, uid });
      return { out: { clusters: sortedByName(shares).map(withoutZero) } };
    },
  },
};

/** `replicas: 0` is left out of the recorded lists. */
function withoutZero({ name, replicas }: Share) {
  return replicas === 0 ? { name } : { name, replicas };
}
