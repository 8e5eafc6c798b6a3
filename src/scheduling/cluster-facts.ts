import type { Cluster } from "#api/cluster/cluster.ts";
import type { Taint } from "#api/core/taint.ts";
import { compareBytes } from "#base/byte-order.ts";
import { type ClusterCapacity, readCapacity } from "./cluster-capacity.ts";
import { healthTaintKey } from "./health-taint.ts";

/** What scheduling wants to know of a cluster, worked out once for all bindings. */
export interface ClusterFacts {
  readonly name: string;
  readonly cluster: Cluster;
  /** Taints that keep replicas away. */
  readonly taints: readonly Taint[];
  /** Whether the cluster says that it serves a kind. */
  readonly serves: (apiVersion: string, kind: string) => boolean;
  readonly capacity: ClusterCapacity | undefined;
}

/** The clusters at one moment. */
export interface ClusterSnapshot {
  /** How many clusters there are, those on their way out included. */
  readonly total: number;
  /** The clusters that stay, sorted by name. */
  readonly staying: readonly ClusterFacts[];
  /** Their names. */
  readonly names: ReadonlySet<string>;
  /** The names of clusters that are being deleted. */
  readonly leaving: ReadonlySet<string>;
}

/** Works out the facts of all clusters. The snapshot serves every binding that is decided on while the clusters are as they are. */
export function takeSnapshot(clusters: readonly Cluster[]): ClusterSnapshot {
  const staying = clusters.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const leaving = clusters.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return {
    total: clusters.length,
    staying: staying.map(clusterFacts).toSorted((a, b) => compareBytes(a.name, b.name)),
    names: new Set(staying.map(({ metadata }) => metadata.name)),
    leaving: new Set(leaving.map(({ metadata }) => metadata.name)),
  };
}

/** The facts of one cluster. */
export function clusterFacts(cluster: Cluster): ClusterFacts {
  return {
    name: cluster.metadata.name,
    cluster,
    taints: taintsOf(cluster),
    serves: servedKinds(cluster),
    capacity: readCapacity(cluster),
  };
}

function servedKinds({ status }: Cluster): ClusterFacts["serves"] {
  const kinds = new Map<string, Set<string>>();
  for (const { groupVersion, resources = [] } of status?.apiEnablements ?? []) {
    const known = kinds.get(groupVersion) ?? new Set();
    for (const { kind } of resources) known.add(kind);
    kinds.set(groupVersion, known);
  }
  return (apiVersion, kind) => kinds.get(apiVersion)?.has(kind) ?? false;
}

/** Those that keep away, with the one that a failed cluster lacks for a moment when somebody has written all taints anew. */
function taintsOf({ spec, status }: Cluster): readonly Taint[] {
  const taints = (spec.taints ?? []).filter(({ effect }) => effect === "NoSchedule" || effect === "NoExecute");
  const key = healthTaintKey(status);
  if (key === undefined || taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return taints;
  return [...taints, { key, effect: "NoSchedule" }];
}
