import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import type { Gauge, Metrics } from "#base/metrics.ts";
import { parseQuantity } from "#base/quantity.ts";
import type { Informer } from "#runtime/informer.ts";

/** What is told of each cluster, and where its status says so. */
const figures = [
  [controllerMetrics.clusterReady, (status: Fields) => (isReady(status) ? 1 : 0)],
  [controllerMetrics.clusterNodes, (status: Fields) => status["nodeSummary"]?.totalNum ?? 0],
  [controllerMetrics.clusterReadyNodes, (status: Fields) => status["nodeSummary"]?.readyNum ?? 0],
  [controllerMetrics.clusterMemoryAllocatable, (status: Fields) => amount(status, "allocatable", "memory")],
  [controllerMetrics.clusterCpuAllocatable, (status: Fields) => amount(status, "allocatable", "cpu")],
  [controllerMetrics.clusterPodAllocatable, (status: Fields) => amount(status, "allocatable", "pods")],
  [controllerMetrics.clusterMemoryAllocated, (status: Fields) => amount(status, "allocated", "memory")],
  [controllerMetrics.clusterCpuAllocated, (status: Fields) => amount(status, "allocated", "cpu")],
  [controllerMetrics.clusterPodAllocated, (status: Fields) => amount(status, "allocated", "pods")],
] as const;

/** Keeps the figures of clusters as their status has them; a cluster that leaves takes its figures along. */
export function followClusters(metrics: Metrics, clusters: Informer<ApiObject>): () => void {
  const known = new Map<string, readonly Gauge[]>();
  return clusters.subscribe(({ before, after }) => {
    const { name } = (after ?? before)!.metadata;
    const gauges =
      known.get(name) ?? figures.map(([definition]) => metrics.gauge(definition, { member_cluster: name }));
    if (after === undefined) {
      for (const gauge of gauges) gauge.remove();
      known.delete(name);
      return;
    }
    known.set(name, gauges);
    const status = ((after as unknown as Cluster).status ?? {}) as Fields; // the informer's kind
    for (const [index, [, read]] of figures.entries()) gauges[index]!.set(read(status));
  });
}

function isReady({ conditions = [] }: Fields): boolean {
  return conditions.some(({ type, status }: Fields) => type === readyCondition.type && status === "True");
}

function amount({ resourceSummary }: Fields, part: "allocatable" | "allocated", resource: string): number {
  const quantity = parseQuantity(String(resourceSummary?.[part]?.[resource] ?? "0"));
  return quantity === undefined ? 0 : Number(quantity.nanos) / 1e9;
}
