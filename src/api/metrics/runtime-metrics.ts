import type { MetricDefinition } from "#base/metrics.ts";
import { counter, gauge, histogram } from "./define-metric.ts";

const name = ["name"] as const;
const tenfold = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1_000];

/** What every controller tells of its queue and its work, in controller-runtime's names. */
export const runtimeMetrics = {
  queueDepth: gauge("workqueue_depth", name, "How many keys wait."),
  queueAdds: counter("workqueue_adds_total", name, "How many keys were added."),
  queueWait: histogram("workqueue_queue_duration_seconds", name, {
    help: "How long a key waited until somebody worked on it.",
    buckets: tenfold,
  }),
  queueWork: histogram("workqueue_work_duration_seconds", name, {
    help: "How long the work on a key took.",
    buckets: tenfold,
  }),
  queueRetries: counter("workqueue_retries_total", name, "How often a key was put off after a failure."),
  reconciles: counter(
    "controller_runtime_reconcile_total",
    ["controller", "result"],
    "How often a key was worked on, by outcome.",
  ),
  requests: counter(
    "rest_client_requests_total",
    ["code", "host", "method"],
    "How many requests were sent to API servers, by the answer's code.",
  ),
} as const satisfies Readonly<Record<string, MetricDefinition>>;
