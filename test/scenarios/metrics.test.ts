import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import { schedulerMetrics } from "#api/metrics/scheduler-metrics.ts";
import { fleetMetrics } from "#app/fleet-metrics.ts";
import { type Exposition, parseExposition, sampleOf } from "#test/world/exposition.ts";
import { http } from "#test/world/http.ts";
import { deployment, divided, policy, to } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

let world: World;
let told: Exposition;
const scrape = async () => parseExposition((await http(world.fleet.controlPlane, "/metrics")).text);

beforeAll(async () => {
  world = await World.start({ members: ["m1", "m2"] });
  await world.apply(policy("all", divided));
  await world.apply(deployment("web"));
  await world.settle();
  await world.patch("deployments/shop/web", { spec: { replicas: 5 } });
  await world.settle();
  await world.member("m2").delete("deployments/shop/web");
  await world.settle();
  await world.apply(policy("all", to("m1")));
  await world.timePasses(30); // until the members were asked again
  told = await scrape();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("after a Deployment was propagated, scaled, lost, and taken back from one member", () => {
  const deploymentLabels = { result: "success", apiversion: "apps/v1", kind: "Deployment" };
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ["create_resource_to_cluster", { ...deploymentLabels, member_cluster: "m1", recreate: "false" }, 1],
    ["create_resource_to_cluster", { ...deploymentLabels, member_cluster: "m2", recreate: "false" }, 1],
    ["create_resource_to_cluster", { ...deploymentLabels, member_cluster: "m2", recreate: "true" }, 1],
    ["delete_resource_from_cluster", { ...deploymentLabels, member_cluster: "m2" }, 1],
    ["cluster_ready_state", { member_cluster: "m1" }, 1],
    ["karmada_scheduler_schedule_attempts_total", { result: "scheduled", schedule_type: "ScaleSchedule" }, 1],
    ["karmada_scheduler_pending_bindings", { queue: "active" }, 0],
    ["karmada_scheduler_pending_bindings", { queue: "unschedulable" }, 0],
    ["karmada_scheduler_queue_incoming_bindings_total", { event: "BindingAdd" }, 1],
    ["workqueue_depth", { name: "detector" }, 0],
    ["workqueue_depth", { name: "execution" }, 0],
  ];
  test.each(rows)("%s %j is %d", (name, labels, value) => expect(sampleOf(told, name, labels)).toBe(value));

  test("updates of the member's copies are counted", () => {
    const labels = { ...deploymentLabels, member_cluster: "m1", operationResult: "updated" };
    expect(sampleOf(told, "update_resource_to_cluster", labels)).toBeGreaterThanOrEqual(1);
  });

  test("what a member offers is told in bytes, CPUs and pods", () => {
    const { nodeSummary, resourceSummary } = world.get("clusters/m1")!["status"];
    expect(sampleOf(told, "cluster_node_number", { member_cluster: "m1" })).toBe(nodeSummary.totalNum);
    expect(sampleOf(told, "cluster_cpu_allocatable_number", { member_cluster: "m1" })).toBe(
      Number(resourceSummary.allocatable.cpu),
    );
    expect(sampleOf(told, "cluster_memory_allocatable_bytes", { member_cluster: "m1" })).toBeGreaterThan(2 ** 30);
    expect(sampleOf(told, "cluster_pod_allocated_number", { member_cluster: "m1" })).toBe(5);
  });

  test.each([
    ["resource_match_policy_duration_seconds", {}],
    ["binding_sync_work_duration_seconds", { result: "success" }],
    ["work_sync_workload_duration_seconds", { result: "success" }],
    ["cluster_sync_status_duration_seconds", { member_cluster: "m1" }],
    ["karmada_scheduler_e2e_scheduling_duration_seconds", { schedule_type: "ReconcileSchedule" }],
    ["karmada_scheduler_scheduling_algorithm_duration_seconds", { schedule_step: "Filter" }],
    ["karmada_scheduler_scheduling_algorithm_duration_seconds", { schedule_step: "AssignReplicas" }],
    ["karmada_scheduler_framework_extension_point_duration_seconds", { extension_point: "Score", result: "Success" }],
    [
      "karmada_scheduler_plugin_execution_duration_seconds",
      { plugin: "ClusterAffinity", extension_point: "Filter", result: "Success" },
    ],
    ["workqueue_queue_duration_seconds", { name: "binding" }],
    ["workqueue_work_duration_seconds", { name: "scheduler" }],
  ])("%s has been observed: as often in all as below infinity", (name, labels) => {
    const count = sampleOf(told, `${name}_count`, labels);
    expect(count).toBeGreaterThan(0);
    expect(sampleOf(told, `${name}_bucket`, { ...labels, le: "+Inf" })).toBe(count);
    expect(sampleOf(told, `${name}_sum`, labels)).toBeGreaterThanOrEqual(0);
  });

  test("the process and the build are told", () => {
    expect(sampleOf(told, "karmada_build_info")).toBe(1);
    expect(sampleOf(told, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(told.types.get("process_cpu_seconds_total")).toBe("counter");
  });

  test("a cluster that leaves takes its figures along", async () => {
    await world.delete("clusters/m2");
    await world.timePasses(30);
    const after = await scrape();
    const gauges = after.samples.filter(
      ({ name, labels }) => name === "cluster_ready_state" && labels["member_cluster"] === "m2",
    );
    expect(gauges).toEqual([]);
  });
});

describe("who may look", () => {
  test("nobody without a name, nobody without the right; the monitoring group may", async () => {
    const { controlPlane } = world.fleet;
    expect((await http(controlPlane, "/metrics", { token: "none" })).code).toBe(401);
    const as = (user: string, group: string) => ({ headers: { "impersonate-user": user, "impersonate-group": group } });
    expect((await http(controlPlane, "/metrics", as("eve", "system:authenticated"))).code).toBe(403);
    const answer = await http(controlPlane, "/metrics", as("prometheus", "system:monitoring"));
    expect(answer.code).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  });
});

describe("every metric that Karmada documents", () => {
  const built = new Map(
    [controllerMetrics, schedulerMetrics].flatMap((catalog) => Object.values(catalog)).map((each) => [each.name, each]),
  );
  const autoscaling = "FederatedHPA and CronFederatedHPA are not built";
  const pools = "connections to estimators are not pooled: there are none";
  const estimator = "there is no estimator process: capacity comes from cluster summaries";
  const notBuilt: Readonly<Record<string, string>> = {
    cronfederatedhpa_process_duration_seconds: autoscaling,
    cronfederatedhpa_rule_process_duration_seconds: autoscaling,
    federatedhpa_process_duration_seconds: autoscaling,
    federatedhpa_pull_metrics_duration_seconds: autoscaling,
    pool_get_operation_total: pools,
    pool_put_operation_total: pools,
    karmada_scheduler_estimator_estimating_request_total: estimator,
    karmada_scheduler_estimator_estimating_algorithm_duration_seconds: estimator,
    karmada_scheduler_estimator_estimating_plugin_extension_point_duration_seconds: estimator,
    karmada_scheduler_estimator_estimating_plugin_execution_duration_seconds: estimator,
  };
  const documented: readonly (readonly [string, string, readonly string[]])[] = [
    ["resource_match_policy_duration_seconds", "histogram", []],
    ["resource_apply_policy_duration_seconds", "histogram", ["result"]],
    ["policy_apply_attempts_total", "counter", ["result"]],
    ["binding_sync_work_duration_seconds", "histogram", ["result"]],
    ["work_sync_workload_duration_seconds", "histogram", ["result"]],
    ["policy_preemption_total", "counter", ["result"]],
    ["preemption_counts_total", "counter", ["namespace", "name"]],
    ["create_resource_to_cluster", "counter", ["result", "apiversion", "kind", "member_cluster", "recreate"]],
    ["update_resource_to_cluster", "counter", ["result", "apiversion", "kind", "member_cluster", "operationResult"]],
    ["delete_resource_from_cluster", "counter", ["result", "apiversion", "kind", "member_cluster"]],
    ["cluster_ready_state", "gauge", ["member_cluster"]],
    ["cluster_node_number", "gauge", ["member_cluster"]],
    ["cluster_ready_node_number", "gauge", ["member_cluster"]],
    ["cluster_memory_allocatable_bytes", "gauge", ["member_cluster"]],
    ["cluster_cpu_allocatable_number", "gauge", ["member_cluster"]],
    ["cluster_pod_allocatable_number", "gauge", ["member_cluster"]],
    ["cluster_memory_allocated_bytes", "gauge", ["member_cluster"]],
    ["cluster_cpu_allocated_number", "gauge", ["member_cluster"]],
    ["cluster_pod_allocated_number", "gauge", ["member_cluster"]],
    ["cluster_sync_status_duration_seconds", "histogram", ["member_cluster"]],
    ["eviction_queue_depth", "gauge", ["name"]],
    ["eviction_kind_total", "counter", ["member_cluster", "resource_kind"]],
    ["eviction_processing_latency_seconds", "histogram", ["name"]],
    ["eviction_processing_total", "counter", ["name", "result"]],
    ["cronfederatedhpa_process_duration_seconds", "histogram", ["result"]],
    ["cronfederatedhpa_rule_process_duration_seconds", "histogram", ["result"]],
    ["federatedhpa_process_duration_seconds", "histogram", ["result"]],
    ["federatedhpa_pull_metrics_duration_seconds", "histogram", ["result", "metricType"]],
    ["pool_get_operation_total", "counter", ["name", "from"]],
    ["pool_put_operation_total", "counter", ["name", "to"]],
    ["karmada_build_info", "gauge", ["git_version", "git_commit", "build_date", "go_version", "compiler", "platform"]],
    ["karmada_scheduler_schedule_attempts_total", "counter", ["result", "schedule_type"]],
    ["karmada_scheduler_e2e_scheduling_duration_seconds", "histogram", ["result", "schedule_type"]],
    ["karmada_scheduler_scheduling_algorithm_duration_seconds", "histogram", ["schedule_step"]],
    ["karmada_scheduler_queue_incoming_bindings_total", "counter", ["event"]],
    ["karmada_scheduler_framework_extension_point_duration_seconds", "histogram", ["extension_point", "result"]],
    ["karmada_scheduler_plugin_execution_duration_seconds", "histogram", ["plugin", "extension_point", "result"]],
    ["karmada_scheduler_pending_bindings", "gauge", ["queue"]],
    ["karmada_scheduler_estimator_estimating_request_total", "counter", ["result", "type"]],
    ["karmada_scheduler_estimator_estimating_algorithm_duration_seconds", "histogram", ["result", "type", "step"]],
    ["karmada_scheduler_estimator_estimating_plugin_extension_point_duration_seconds", "histogram", []],
    ["karmada_scheduler_estimator_estimating_plugin_execution_duration_seconds", "histogram", []],
  ];

  test.each(documented)("%s is built as documented, or is said not to be", (name, type, labels) => {
    const definition = built.get(name);
    if (definition === undefined) return expect(notBuilt[name]).toEqual(expect.any(String));
    expect(notBuilt[name]).toBeUndefined();
    expect([definition.type, definition.labels]).toEqual([type, labels]);
    expect(told.types.get(name)).toBe(type);
  });

  test("nothing is built or excused that is not documented", () => {
    const names = new Set(documented.map(([name]) => name));
    expect([...built.keys(), ...Object.keys(notBuilt)].filter((name) => !names.has(name))).toEqual([]);
  });
});

test("SEC-49: names of 100,000 templates do not become 100,000 series", async () => {
  const metrics = fleetMetrics();
  for (let index = 0; index < 100_000; index++)
    metrics.counter(controllerMetrics.preemptionCounts, { namespace: "shop", name: `web-${index}` }).add();
  const { samples } = parseExposition(metrics.text());
  expect(samples.filter(({ name }) => name === "preemption_counts_total")).toHaveLength(501);
  expect(samples.find(({ labels }) => labels["name"] === "other")?.value).toBe(99_500);
});
