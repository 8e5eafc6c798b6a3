import { readdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { counter, gauge } from "#api/metrics/define-metric.ts";
import type { PrometheusMetrics } from "./prometheus-metrics.ts";

const cpu = counter("process_cpu_seconds_total", [], "CPU time spent.");

/** What is told of the process itself, under the names that Prometheus' clients use. */
const gauges = [
  [gauge("process_resident_memory_bytes", [], "Resident memory."), () => process.memoryUsage.rss()],
  [gauge("process_start_time_seconds", [], "When the process started."), () => performance.timeOrigin / 1_000],
  [gauge("process_open_fds", [], "Open file descriptors; 0 where that cannot be told."), openFiles],
  [gauge("nodejs_heap_size_total_bytes", [], "Size of the heap."), () => process.memoryUsage().heapTotal],
  [gauge("nodejs_heap_size_used_bytes", [], "What is in use of the heap."), () => process.memoryUsage().heapUsed],
  [gauge("nodejs_external_memory_bytes", [], "Memory outside the heap."), () => process.memoryUsage().external],
  [
    gauge("nodejs_eventloop_utilization", [], "Share of time since the start in which the event loop was busy."),
    () => performance.eventLoopUtilization().utilization,
  ],
] as const;

/** Tells of the process. Read when somebody looks: no timer runs. */
export function measureProcess(metrics: PrometheusMetrics): void {
  metrics.readingTotal(cpu, cpuSeconds);
  for (const [definition, read] of gauges) metrics.reading(definition, {}, read);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

function openFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0; // not Linux
  }
}
