import { runtimeMetrics } from "#api/metrics/runtime-metrics.ts";
import type { Metrics } from "#base/metrics.ts";
import type { QueueFigures, WorkQueue } from "./work-queue.ts";

/** How a turn came out, in controller-runtime's words. */
export type TurnResult = "success" | "error" | "requeue_after";

/** What the runner tells of one controller. */
export interface ControllerFigures {
  readonly queue: QueueFigures;
  turned(result: TurnResult, ms: number): void;
  /** The queue exists: its depth is read when somebody looks. Returns the function that ends it. */
  watch(queue: WorkQueue): () => void;
}

/** The handles of one controller, asked for once; controllers that differ by what stands behind a slash are one. */
export function controllerFigures(metrics: Metrics, controllerName: string): ControllerFigures {
  const name = controllerName.split("/", 1)[0]!;
  const adds = metrics.counter(runtimeMetrics.queueAdds, { name });
  const waits = metrics.histogram(runtimeMetrics.queueWait, { name });
  const works = metrics.histogram(runtimeMetrics.queueWork, { name });
  const retries = metrics.counter(runtimeMetrics.queueRetries, { name });
  const resultCounter = (result: TurnResult) =>
    metrics.counter(runtimeMetrics.reconciles, { controller: name, result });
  const results = {
    success: resultCounter("success"),
    error: resultCounter("error"),
    requeue_after: resultCounter("requeue_after"),
  };
  return {
    queue: {
      added: () => adds.add(),
      waited: (ms) => waits.observe(ms / 1_000),
      retried: () => retries.add(),
    },
    turned(result, ms) {
      results[result].add();
      works.observe(ms / 1_000);
    },
    watch: (queue) => metrics.reading(runtimeMetrics.queueDepth, { name }, () => queue.size),
  };
}
