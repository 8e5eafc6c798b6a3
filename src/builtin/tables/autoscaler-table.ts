import type { Fields } from "#api/meta/object-meta.ts";
import { age, ageOf, name, type TableSketch } from "./table-sketch.ts";

/** Autoscalers: what they measure, and what they want it to be. */
export const autoscalerTable: TableSketch = {
  columns: [
    name,
    { name: "Reference", field: "spec.scaleTargetRef" },
    { name: "Targets", field: "spec.metrics" },
    { name: "MinPods", field: "spec.minReplicas" },
    { name: "MaxPods", field: "spec.maxReplicas" },
    { name: "Replicas", field: "status.currentReplicas" },
    age,
  ],
  cells: (object, nowMs) => {
    const { spec = {}, status = {} } = object;
    return [
      object.metadata.name,
      `${spec.scaleTargetRef?.kind ?? ""}/${spec.scaleTargetRef?.name ?? ""}`,
      metricsText(spec.metrics ?? [], status.currentMetrics ?? []),
      spec.minReplicas == null ? "<unset>" : String(spec.minReplicas),
      spec.maxReplicas ?? 0,
      status.currentReplicas ?? 0,
      ageOf(object, nowMs),
    ];
  },
};

const shownMetrics = 2;

function metricsText(metrics: readonly Fields[], current: readonly Fields[]): string {
  if (metrics.length === 0) return "<none>";
  const texts = metrics.map((metric, index) => metricText(metric, current[index] ?? {}));
  const shown = texts.slice(0, shownMetrics).join(", ");
  return texts.length > shownMetrics ? `${shown} + ${texts.length - shownMetrics} more...` : shown;
}

const sources: Readonly<Record<string, string>> = {
  External: "external",
  Pods: "pods",
  Object: "object",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function metricText(metric: Fields, status: Fields): string {
  const source = Object.hasOwn(sources, metric.type ?? "") ? sources[metric.type] : undefined;
  if (source === undefined) return "<unknown type>";
  const target: Fields = metric[source]?.target ?? {};
  const now: Fields = status[source]?.current ?? {};
  if (source === "pods") return `${now.averageValue ?? "<unknown>"}/${target.averageValue}`;
  if (source === "resource" || source === "containerResource") {
    const label = `${metric[source]?.name}: `;
    if (target.averageValue != null) return `${label}${now.averageValue ?? "<unknown>"}/${target.averageValue}`;
    return `${label}${percent(now.averageUtilization, "<unknown>")}/${percent(target.averageUtilization, "<auto>")}`;
  }
  if (target.averageValue != null) return `${now.averageValue ?? "<unknown>"}/${target.averageValue} (avg)`;
  return `${now.value ?? "<unknown>"}/${target.value}`;
}

function percent(value: unknown, missing: string): string {
  return value == null ? missing : `${value}%`;
}
