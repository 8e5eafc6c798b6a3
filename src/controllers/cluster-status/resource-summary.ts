import type { Cluster } from "#api/cluster/cluster.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { parseQuantity, printQuantity, type Quantity } from "#base/quantity.ts";

export interface SummaryFacts {
  readonly nodes: Iterable<Fields>;
  readonly pods: Iterable<Fields>;
  readonly models: NonNullable<Cluster["spec"]["resourceModels"]>;
}

export interface ClusterSummary {
  readonly nodeSummary: { readonly totalNum: number; readonly readyNum: number };
  readonly resourceSummary: Fields;
}

type Amounts = Map<string, Quantity>;

/** What a member offers and what is taken, from its nodes and pods. */
export function summarize({ nodes, pods, models }: SummaryFacts): ClusterSummary {
  const allNodes = [...nodes];
  const allocatable: Amounts = new Map();
  const allocated: Amounts = new Map();
  const allocating: Amounts = new Map();
  const perNode = new Map<string, Amounts>();
  for (const node of allNodes) addList(allocatable, node["status"]?.allocatable);
  for (const pod of pods) {
    if (pod["status"]?.phase === "Succeeded" || pod["status"]?.phase === "Failed") continue;
    const requests = podRequests(pod);
    const node = pod["spec"]?.nodeName;
    addAmounts(node ? allocated : allocating, requests);
    if (node) addAmounts(amountsOf(perNode, node), requests);
  }
  return {
    nodeSummary: { totalNum: allNodes.length, readyNum: allNodes.filter(isReady).length },
    resourceSummary: {
      allocatable: printAmounts(allocatable),
      ...(allocating.size > 0 ? { allocating: printAmounts(allocating) } : {}),
      ...(allocated.size > 0 ? { allocated: printAmounts(allocated) } : {}),
      ...(models.length > 0 ? { allocatableModelings: gradeNodes(allNodes, perNode, models) } : {}),
    },
  };
}

/** A pod asks for the sum of its containers or its largest init container, whichever is more; and for one place. */
export function podRequests({ spec = {} }: Fields): ReadonlyMap<string, Quantity> {
  const sum: Amounts = new Map();
  for (const container of spec["containers"] ?? []) addList(sum, container.resources?.requests);
  for (const container of spec["initContainers"] ?? []) {
    for (const [name, text] of Object.entries(container.resources?.requests ?? {})) {
      const wanted = parseQuantity(String(text));
      const known = sum.get(name);
      if (wanted !== undefined && (known === undefined || wanted.nanos > known.nanos)) sum.set(name, wanted);
    }
  }
  addList(sum, spec["overhead"]);
  addAmounts(sum, new Map([["pods", { nanos: 1_000_000_000n, format: "DecimalSI" }]]));
  return sum;
}

function isReady({ status }: Fields): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }: Fields) => type === "Ready" && value === "True");
}

/** How many nodes have room of each grade: the highest grade whose minimum they meet in every resource. */
function gradeNodes(
  nodes: readonly Fields[],
  perNode: ReadonlyMap<string, Amounts>,
  models: SummaryFacts["models"],
): readonly Fields[] {
  const sorted = models.toSorted((a, b) => a.grade - b.grade);
  const counts = new Map(sorted.map(({ grade }) => [grade, 0]));
  for (const node of nodes) {
    const room: Amounts = new Map();
    addList(room, node["status"]?.allocatable);
    for (const [name, taken] of perNode.get(node["metadata"].name) ?? []) {
      const all = room.get(name);
      if (all !== undefined) room.set(name, { ...all, nanos: all.nanos - taken.nanos });
    }
    const grade = sorted.findLast(({ ranges }) =>
      ranges.every(({ name, min }) => (room.get(name)?.nanos ?? 0n) >= (parseQuantity(String(min))?.nanos ?? 0n)),
    )?.grade;
    if (grade !== undefined) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  }
  return [...counts].map(([grade, count]) => ({ grade, count }));
}

function addList(target: Amounts, list: Fields | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    const quantity = parseQuantity(String(text));
    if (quantity !== undefined) add(target, name, quantity);
  }
}

function addAmounts(target: Amounts, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of amounts) add(target, name, quantity);
}

function add(target: Amounts, name: string, { nanos, format }: Quantity): void {
  const known = target.get(name);
  target.set(name, known === undefined ? { nanos, format } : { nanos: known.nanos + nanos, format: known.format });
}

function amountsOf(map: Map<string, Amounts>, key: string): Amounts {
  const known = map.get(key) ?? new Map();
  map.set(key, known);
  return known;
}

function printAmounts(amounts: Amounts): Fields {
  return Object.fromEntries(
    [...amounts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, quantity]) => [name, printQuantity(quantity)]),
  );
}
