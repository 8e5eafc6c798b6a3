import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import { runtimeMetrics } from "#api/metrics/runtime-metrics.ts";
import { schedulerMetrics } from "#api/metrics/scheduler-metrics.ts";
import { measureProcess } from "./process-metrics.ts";
import { PrometheusMetrics } from "./prometheus-metrics.ts";
import { versionInfo } from "./server-version.ts";

/** Every metric that a fleet tells, described from the start, and what is told of the process. */
export function fleetMetrics(): PrometheusMetrics {
  const metrics = new PrometheusMetrics();
  for (const catalog of [controllerMetrics, schedulerMetrics, runtimeMetrics])
    for (const definition of Object.values(catalog)) metrics.declare(definition);
  const { gitVersion, gitCommit, buildDate, goVersion, compiler, platform } = versionInfo;
  const labels = {
    git_version: gitVersion,
    git_commit: gitCommit,
    build_date: buildDate,
    go_version: goVersion,
    compiler,
    platform,
  };
  metrics.gauge(controllerMetrics.buildInfo, labels).set(1);
  measureProcess(metrics);
  return metrics;
}
