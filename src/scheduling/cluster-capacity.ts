import type { Cluster } from "#api/cluster/cluster.ts";
import { member, RawNumber } from "#base/json.ts";
import { parseQuantity } from "#base/quantity.ts";

/** An amount of a resource in the two units that estimates are made in; fractions count as one. */
export interface Amount {
  readonly whole: number;
  readonly thousandths: number;
}

/** What a cluster has left, by the summary in its status. */
export interface ClusterCapacity {
  /** Pods that still fit; never below zero. */
  readonly pods: number;
  /** What is left of each resource that the cluster offers; below zero when more is taken than there is. */
  readonly left: ReadonlyMap<string, Amount>;
  /** Its nodes by grade, each as its grade guarantees it; absent when the cluster is not modelled. */
  readonly grades?: readonly NodeGrade[];
}

/** Nodes that are alike. */
export interface NodeGrade {
  readonly count: number;
  readonly offers: ReadonlyMap<string, Amount>;
}

type Quantities = Readonly<Record<string, string | number>> | undefined;

/** Reads what a cluster has left; undefined when its status does not say. */
export function readCapacity(cluster: Pick<Cluster, "spec" | "status">): ClusterCapacity | undefined {
  const summary = cluster.status?.resourceSummary;
  if (summary === undefined) return undefined;
  const { allocatable = {}, allocated, allocating } = summary;
  const left = new Map(
    Object.keys(allocatable).map((name) => [
      name,
      amount(nanosOf(allocatable, name) - nanosOf(allocated, name) - nanosOf(allocating, name)),
    ]),
  );
  const [offered, ...taken] = [allocatable, allocated, allocating].map((list) => amount(nanosOf(list, "pods")).whole);
  const pods = Math.max(
    0,
    taken.reduce((sum, each) => sum - each, offered ?? 0),
  );
  const grades = readGrades(cluster);
  return { pods, left, ...(grades !== undefined && { grades }) };
}

/** The nodes as models and status describe them together; a grade that either leaves out has no nodes. */
function readGrades({ spec, status }: Pick<Cluster, "spec" | "status">): NodeGrade[] | undefined {
  const models = spec.resourceModels ?? [];
  const modelings = status?.resourceSummary?.allocatableModelings ?? [];
  if (models.length === 0 || modelings.length === 0 || modelings.some(({ count }) => count < 0)) return undefined;
  const counts = new Map<number, number>();
  for (const { grade, count } of modelings) counts.set(grade, (counts.get(grade) ?? 0) + count);
  return models.map(({ grade, ranges }) => ({
    count: counts.get(grade) ?? 0,
    offers: new Map(ranges.map(({ name, min }) => [name, amount(nanosOf({ min }, "min"))])),
  }));
}

/** The amounts of a resource list. */
export function readAmounts(quantities: Quantities): ReadonlyMap<string, Amount> {
  return new Map(Object.keys(quantities ?? {}).map((name) => [name, amount(nanosOf(quantities, name))]));
}

function nanosOf(quantities: Quantities, name: string): bigint {
  const written = quantities === undefined ? undefined : member(quantities, name);
  if (written === undefined || written === null) return 0n;
  return parseQuantity(written instanceof RawNumber ? written.token : String(written))?.nanos ?? 0n;
}

function amount(nanos: bigint): Amount {
  return { whole: roundUp(nanos, 1_000_000_000n), thousandths: roundUp(nanos, 1_000_000n) };
}

/** Away from zero, as upstream does. */
function roundUp(nanos: bigint, unit: bigint): number {
  return Number(nanos >= 0n ? (nanos + unit - 1n) / unit : -((-nanos + unit - 1n) / unit));
}
