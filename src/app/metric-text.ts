import type { Labels, MetricDefinition } from "#base/metrics.ts";

/** One figure of a metric. */
export interface Series {
  readonly labels: Labels<string>;
  /** Of a histogram the sum of what was observed. */
  value: number;
  /** Of a histogram how much was observed up to each bound but beyond the one before; the last has no bound. */
  readonly buckets: number[];
}

/** A metric in Prometheus' text format, version 0.0.4. */
export function printFamily(definition: MetricDefinition, series: ReadonlyMap<string, Series>): string {
  const { name, help, type } = definition;
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`];
  for (const each of series.values()) lines.push(...samplesOf(definition, each));
  return `${lines.join("\n")}\n`;
}

function samplesOf(definition: MetricDefinition, { labels, value, buckets }: Series): readonly string[] {
  const { name, type, buckets: bounds = [] } = definition;
  const own = definition.labels.map((label) => [label, labels[label] ?? ""] as const);
  if (type !== "histogram") return [sample(name, own, value)];
  let count = 0;
  const upTo = buckets.map((within, index) => {
    count += within;
    const bound = bounds[index];
    return sample(`${name}_bucket`, [["le", bound === undefined ? "+Inf" : String(bound)], ...own], count);
  });
  return [...upTo, sample(`${name}_sum`, own, value), sample(`${name}_count`, own, count)];
}

function sample(name: string, labels: readonly (readonly [string, string])[], value: number): string {
  const told = labels.map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
  return `${name}${told.length === 0 ? "" : `{${told.join(",")}}`} ${printed(value)}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function printed(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
