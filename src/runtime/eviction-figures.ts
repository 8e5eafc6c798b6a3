import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import { Handles, type Metrics } from "#base/metrics.ts";

/** What a controller that evicts tells of it. */
export interface EvictionFigures {
  /** How many evictions wait is read when somebody looks. Returns the function that ends it. */
  watchDepth(read: () => number): () => void;
  /** A resource of this kind leaves this cluster. */
  evicted(memberCluster: string, resourceKind: string): void;
  /** One eviction was carried out, or could not be. */
  finished(result: "success" | "error", seconds: number): void;
}

/** The figures of the evictions that go through one queue. */
export function evictionFigures(metrics: Metrics, name: string): EvictionFigures {
  const kinds = new Handles((key) => {
    const [member_cluster, resource_kind] = key.split("/") as [string, string];
    return metrics.counter(controllerMetrics.evictionKinds, { member_cluster, resource_kind });
  });
  const latency = metrics.histogram(controllerMetrics.evictionLatency, { name });
  const results = new Handles((result) => metrics.counter(controllerMetrics.evictions, { name, result }));
  return {
    watchDepth: (read) => metrics.reading(controllerMetrics.evictionQueueDepth, { name }, read),
    evicted: (memberCluster, resourceKind) => kinds.of(`${memberCluster}/${resourceKind}`).add(),
    finished(result, seconds) {
      results.of(result).add();
      latency.observe(seconds);
    },
  };
}
