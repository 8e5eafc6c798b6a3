import { compareBytes } from "#base/byte-order.ts";

/** Something of which several are chosen together. */
export interface Group {
  readonly name: string;
  readonly score: number;
  /** How many clusters it has. */
  readonly size: number;
}

/** What a choice must keep to. */
export interface GroupLimits {
  readonly min: number;
  readonly max: number;
  /** How many clusters the chosen groups must have together. */
  readonly clusters: number;
}

/**
 * The best set of groups within the limits, by total score, then by clusters, then by where it comes in upstream's search;
 * undefined when there is none. Sorted by score, then name; when the first few of the set would do alone, only those.
 *
 * Upstream searches through all sets (karmada spreadconstraint/select_groups.go), which takes for ever with some dozens of
 * groups. This gives the same answer in time that grows with groups × max × clusters.
 */
export function chooseGroups<G extends Group>(groups: readonly G[], limits: GroupLimits): G[] | undefined {
  const inSearchOrder = groups.toSorted((a, b) => a.size - b.size || b.score - a.score || compareBytes(a.name, b.name));
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  if (total < limits.clusters || groups.length < limits.min || limits.max < limits.min) return undefined;
  const best = bestSet(inSearchOrder, { ...limits, max: Math.min(limits.max, groups.length) });
  if (best === undefined) return undefined;
  const byScore = best.toSorted((a, b) => b.score - a.score || compareBytes(a.name, b.name));
  return shortestSufficient(byScore, inSearchOrder, limits);
}

interface Completion {
  readonly score: number;
  readonly size: number;
  /** Whether the group at hand is part of it. */
  readonly takes: boolean;
}

/** The search visits sets in the order of their members and stops extending a set once it satisfies the limits. */
function bestSet<G extends Group>(groups: readonly G[], limits: GroupLimits): G[] | undefined {
  const { min, max, clusters: target } = limits;
  const satisfied = (count: number, sum: number) => count >= min && count <= max && sum >= target;
  const memo = new Map<number, Completion | undefined>();
  const done: Completion = { score: 0, size: 0, takes: false };
  const complete = (index: number, count: number, sum: number): Completion | undefined => {
    if (satisfied(count, sum)) return done;
    if (count >= max || index >= groups.length) return undefined;
    const key = (index * (max + 1) + count) * (target + 1) + sum;
    if (memo.has(key)) return memo.get(key);
    const { score, size } = groups[index]!;
    const taking = complete(index + 1, count + 1, Math.min(target, sum + size));
    const skipping = complete(index + 1, count, sum);
    const taken = taking && { score: taking.score + score, size: taking.size + size, takes: true };
    const result = better(taken, skipping && { ...skipping, takes: false });
    memo.set(key, result);
    return result;
  };
  if (complete(0, 0, 0) === undefined) return undefined;
  const chosen: G[] = [];
  let sum = 0;
  for (let index = 0; !satisfied(chosen.length, sum); index++) {
    if (complete(index, chosen.length, sum)?.takes !== true) continue;
    chosen.push(groups[index]!);
    sum = Math.min(target, sum + groups[index]!.size);
  }
  return chosen;
}

/** Equals go to the first, which the search finds first. */
function better(first: Completion | undefined, second: Completion | undefined): Completion | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  if (first.score !== second.score) return first.score > second.score ? first : second;
  return second.size > first.size ? second : first;
}

/** The shortest beginning of the chosen groups that the search would have found too. */
function shortestSufficient<G extends Group>(chosen: G[], searched: readonly G[], limits: GroupLimits): G[] {
  const place = new Map(searched.map((group, index) => [group, index]));
  for (let length = 1; length < chosen.length; length++) {
    const part = chosen.slice(0, length).toSorted((a, b) => place.get(a)! - place.get(b)!);
    if (isFound(part, limits)) return chosen.slice(0, length);
  }
  return chosen;
}

/** Whether the search ends at a set: it satisfies the limits, and without its last member it does not. */
function isFound(set: readonly Group[], { min, max, clusters }: GroupLimits): boolean {
  const sum = set.reduce((total, { size }) => total + size, 0);
  if (set.length < min || set.length > max || sum < clusters) return false;
  return set.length === min || sum - (set.at(-1)?.size ?? 0) < clusters;
}
