import type { MetricDefinition } from "#base/metrics.ts";
import { counter, doubling, gauge, histogram } from "./define-metric.ts";

const result = ["result"] as const;
const member = ["member_cluster"] as const;

/** What Karmada's controller manager tells of itself, in its names. */
export const controllerMetrics = {
  matchPolicyDuration: histogram("resource_match_policy_duration_seconds", [], {
    help: "How long it took to find the policy of a template.",
    buckets: doubling(0.001, 12),
  }),
  applyPolicyDuration: histogram("resource_apply_policy_duration_seconds", result, {
    help: "How long it took to apply a policy to a template.",
    buckets: doubling(0.001, 12),
  }),
  applyPolicyAttempts: counter("policy_apply_attempts_total", result, "How often a policy was applied to a template."),
  bindingSyncDuration: histogram("binding_sync_work_duration_seconds", result, {
    help: "How long it took to bring the works of a binding up to date.",
    buckets: doubling(0.001, 12),
  }),
  workSyncDuration: histogram("work_sync_workload_duration_seconds", result, {
    help: "How long it took to bring the objects of a work up to date in its cluster.",
    buckets: doubling(0.001, 12),
  }),
  preemptions: counter("policy_preemption_total", result, "How often a policy took a template from another."),
  /** The proposal's (ruling 16). Templates come and go without end, figures about them must not. */
  preemptionCounts: {
    ...counter(
      "preemption_counts_total",
      ["namespace", "name"],
      "How often a template of this name was taken from its policy.",
    ),
    maxSeries: 500,
  },
  createResource: counter(
    "create_resource_to_cluster",
    ["result", "apiversion", "kind", "member_cluster", "recreate"],
    "How often an object was created in a cluster.",
  ),
  updateResource: counter(
    "update_resource_to_cluster",
    ["result", "apiversion", "kind", "member_cluster", "operationResult"],
    "How often an object was updated in a cluster.",
  ),
  deleteResource: counter(
    "delete_resource_from_cluster",
    ["result", "apiversion", "kind", "member_cluster"],
    "How often an object was deleted from a cluster.",
  ),
  clusterReady: gauge("cluster_ready_state", member, "Whether the cluster is ready: 1 if so, else 0."),
  clusterNodes: gauge("cluster_node_number", member, "How many nodes the cluster has."),
  clusterReadyNodes: gauge("cluster_ready_node_number", member, "How many nodes of the cluster are ready."),
  clusterMemoryAllocatable: gauge("cluster_memory_allocatable_bytes", member, "Memory that the cluster offers."),
  clusterCpuAllocatable: gauge("cluster_cpu_allocatable_number", member, "CPUs that the cluster offers."),
  clusterPodAllocatable: gauge("cluster_pod_allocatable_number", member, "Pods that the cluster has room for."),
  clusterMemoryAllocated: gauge("cluster_memory_allocated_bytes", member, "Memory that is taken in the cluster."),
  clusterCpuAllocated: gauge("cluster_cpu_allocated_number", member, "CPUs that are taken in the cluster."),
  clusterPodAllocated: gauge("cluster_pod_allocated_number", member, "Pods that run in the cluster."),
  clusterStatusDuration: histogram("cluster_sync_status_duration_seconds", member, {
    help: "How long it took to ask a cluster how it is and to write that down.",
    buckets: doubling(0.001, 12),
  }),
  evictionQueueDepth: gauge("eviction_queue_depth", ["name"], "How many evictions wait."),
  evictionKinds: counter(
    "eviction_kind_total",
    ["member_cluster", "resource_kind"],
    "How often resources of a kind were evicted from a cluster.",
  ),
  evictionLatency: histogram("eviction_processing_latency_seconds", ["name"], {
    help: "How long an eviction took.",
    buckets: doubling(0.001, 12),
  }),
  evictions: counter("eviction_processing_total", ["name", "result"], "How many evictions were carried out."),
  buildInfo: gauge(
    "karmada_build_info",
    ["git_version", "git_commit", "build_date", "go_version", "compiler", "platform"],
    "Always 1; the labels say what runs.",
  ),
} as const satisfies Readonly<Record<string, MetricDefinition>>;
