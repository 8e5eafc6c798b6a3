import type { MetricDefinition } from "#base/metrics.ts";
import { counter, doubling, gauge, histogram } from "./define-metric.ts";

const attempt = ["result", "schedule_type"] as const;

/** What Karmada's scheduler tells of itself, in its names. */
export const schedulerMetrics = {
  attempts: counter(
    "karmada_scheduler_schedule_attempts_total",
    attempt,
    "How often it was tried to schedule a binding.",
  ),
  duration: histogram("karmada_scheduler_e2e_scheduling_duration_seconds", attempt, {
    help: "How long it took to schedule a binding, from the decision to the end of its writes.",
    buckets: doubling(0.001, 15),
  }),
  step: histogram("karmada_scheduler_scheduling_algorithm_duration_seconds", ["schedule_step"], {
    help: "How long the steps of a scheduling pass took.",
    buckets: doubling(0.00001, 15),
  }),
  extensionPoint: histogram(
    "karmada_scheduler_framework_extension_point_duration_seconds",
    ["extension_point", "result"],
    { help: "How long filtering and scoring all clusters for a binding took.", buckets: doubling(0.00001, 12) },
  ),
  plugin: histogram("karmada_scheduler_plugin_execution_duration_seconds", ["plugin", "extension_point", "result"], {
    help: "How long one filter took for all clusters; one pass in ten is measured. Unschedulable: it kept a cluster out.",
    buckets: doubling(0.000001, 15),
  }),
  incoming: counter(
    "karmada_scheduler_queue_incoming_bindings_total",
    ["event"],
    "How many bindings came to be scheduled, by what brought them.",
  ),
  pending: gauge(
    "karmada_scheduler_pending_bindings",
    ["queue"],
    "How many bindings wait: to be scheduled (active), to be tried again (backoff), for a cluster that fits (unschedulable).",
  ),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** What brought a binding to the scheduler. */
export type IncomingEvent = "BindingAdd" | "BindingUpdate" | "ScheduleAttemptFailure" | "ClusterChanged";
