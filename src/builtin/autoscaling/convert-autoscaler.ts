import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { ShapeConversion, Strategy, TablePrinter } from "#api/meta/resource-type.ts";
import { cloneJson, member, stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";

/** What the first version of autoscalers has no fields for travels in annotations. */
const annotation = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
} as const;

/** Between autoscaling/v1, which kubectl 1.32 writes, and autoscaling/v2, in which autoscalers are kept. */
export const autoscalerConversion: ShapeConversion = { fromStorage: toFirstVersion, toStorage: toSecondVersion };

/** The rules of v2 for an object in the shape of v1; metrics are defaulted on the way into the store. */
export function firstVersionStrategy(strategy: Strategy): Strategy {
  return {
    ...strategy,
    applyDefaults: (draft) => {
      draft.spec ??= {};
      draft.spec.minReplicas ??= 1;
    },
    validate: (object) => strategy.validate?.(stored(object)) ?? [],
    validateUpdate: (object, old) => strategy.validateUpdate?.(stored(object), stored(old)) ?? [],
  };
}

/** The table of v2 for an object in the shape of v1. */
export function firstVersionTable(table: TablePrinter): TablePrinter {
  return { columns: table.columns, cells: (object, nowMs) => table.cells(stored(object), nowMs) };
}

function stored(object: ApiObject): ApiObject {
  return toSecondVersion(object as unknown as Draft) as unknown as ApiObject; // converted, not changed
}

function toFirstVersion(object: ApiObject): ApiObject {
  const { spec = {}, status, metadata, ...rest } = cloneJson(object) as Fields;
  const { metrics = [], behavior, ...kept } = spec;
  const cpu = metrics.find(isCpuUtilization);
  const others = metrics.filter((metric: Fields) => metric !== cpu);
  const { conditions, currentMetrics, ...counts } = status ?? {};
  const currentCpu = (currentMetrics ?? []).find(isCpuUtilization)?.resource.current.averageUtilization;
  const annotations = {
    ...metadata.annotations,
    ...(others.length > 0 && { [annotation.metrics]: stringifyJson(others) }),
    ...(behavior != null && { [annotation.behavior]: stringifyJson(behavior) }),
    ...(conditions != null && { [annotation.conditions]: stringifyJson(conditions) }),
  };
  return {
    ...rest,
    apiVersion: "autoscaling/v1",
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...kept,
      ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu.resource.target.averageUtilization }),
    },
    ...(status !== undefined && {
      status: { ...counts, ...(currentCpu !== undefined && { currentCPUUtilizationPercentage: currentCpu }) },
    }),
  } as unknown as ApiObject; // the same object in its other shape
}

function toSecondVersion(draft: Draft): Draft {
  const { spec = {}, status, metadata, ...rest } = cloneJson(draft) as Fields;
  const { targetCPUUtilizationPercentage: percentage, ...kept } = spec;
  const { annotations = {}, ...meta } = metadata;
  const read = (key: string): unknown => readAnnotation(annotations, key);
  const others = read(annotation.metrics);
  const metrics = [
    ...(percentage == null ? [] : [cpuUtilization(percentage)]),
    ...(Array.isArray(others) ? others : []),
  ];
  const behavior = read(annotation.behavior);
  const conditions = read(annotation.conditions);
  const plain = Object.fromEntries(Object.entries(annotations).filter(([key]) => !carried.has(key)));
  const { currentCPUUtilizationPercentage: _, ...counts } = status ?? {};
  return {
    ...rest,
    apiVersion: "autoscaling/v2",
    metadata: { ...meta, ...(Object.keys(plain).length > 0 && { annotations: plain }) },
    spec: {
      ...kept,
      metrics: metrics.length > 0 ? metrics : [cpuUtilization(80)],
      ...(behavior !== undefined && { behavior }),
    },
    ...(status !== undefined && { status: { ...counts, ...(conditions !== undefined && { conditions }) } }),
  } as unknown as Draft; // the same object in its other shape
}

const carried: ReadonlySet<string> = new Set(Object.values(annotation));

/** Somebody else's text may stand there: what is no JSON is left out. */
function readAnnotation(annotations: object, key: string): unknown {
  const text = member(annotations, key);
  if (typeof text !== "string") return undefined;
  try {
    return parseJson(text).value;
  } catch {
    return undefined;
  }
}

function cpuUtilization(averageUtilization: number): Fields {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

function isCpuUtilization({ type, resource }: Fields): boolean {
  const utilization = resource?.target?.averageUtilization ?? resource?.current?.averageUtilization;
  return type === "Resource" && resource?.name === "cpu" && utilization !== undefined;
}
