import type { Counter, Gauge, Histogram, Labels, MetricDefinition, Metrics } from "#base/metrics.ts";
import { printFamily, type Series } from "./metric-text.ts";

interface Family {
  readonly definition: MetricDefinition;
  /** By the values of the labels, in the order of the definition. */
  readonly series: Map<string, Series>;
  /** Who is asked for the value when somebody looks. */
  readonly readers: Map<string, Set<() => number>>;
}

/** Figures as Prometheus reads them. Every process, and every test, has its own. Counting is an addition: what it takes is taken when somebody looks. */
export class PrometheusMetrics implements Metrics {
  readonly #families = new Map<string, Family>();

  counter<Label extends string>(definition: MetricDefinition<"counter", Label>, labels: Labels<Label>): Counter {
    const series = seriesOf(this.#family(definition), labels);
    return {
      add(amount = 1) {
        series.value += amount;
      },
    };
  }

  gauge<Label extends string>(definition: MetricDefinition<"gauge", Label>, labels: Labels<Label>): Gauge {
    const family = this.#family(definition);
    const key = keyOf(family.definition, labels);
    return {
      set(value) {
        seriesOf(family, labels).value = value; // anew, where it was removed
      },
      remove: () => family.series.delete(key),
    };
  }

  histogram<Label extends string>(definition: MetricDefinition<"histogram", Label>, labels: Labels<Label>): Histogram {
    const series = seriesOf(this.#family(definition), labels);
    const bounds = definition.buckets ?? [];
    return {
      observe(value) {
        let bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
        series.buckets[bucket]!++;
        series.value += value;
      },
    };
  }

  reading<Label extends string>(
    definition: MetricDefinition<"gauge", Label>,
    labels: Labels<Label>,
    read: () => number,
  ): () => void {
    return this.#read(definition, labels, read);
  }

  /** A number that somebody else counts, read when somebody looks. */
  readingTotal(definition: MetricDefinition<"counter", never>, read: () => number): void {
    this.#read(definition, {}, read);
  }

  /** Makes a metric known, so that it is described even while nothing is counted. */
  declare(definition: MetricDefinition): void {
    this.#family(definition);
  }

  /** The exposition text, version 0.0.4. */
  text(): string {
    for (const { series, readers } of this.#families.values()) {
      for (const [key, all] of readers) {
        let sum = 0;
        for (const read of all) sum += read();
        series.get(key)!.value = sum;
      }
    }
    return [...this.#families.values()].map(({ definition, series }) => printFamily(definition, series)).join("\n");
  }

  #read(definition: MetricDefinition, labels: Labels<string>, read: () => number): () => void {
    const family = this.#family(definition);
    seriesOf(family, labels);
    const key = keyOf(definition, labels);
    const all = family.readers.get(key) ?? new Set();
    family.readers.set(key, all);
    all.add(read);
    return () => all.delete(read);
  }

  /** One family for each name: who comes second gets what is there. What has no labels is told from the start. */
  #family(definition: MetricDefinition): Family {
    const known = this.#families.get(definition.name);
    if (known !== undefined) return known;
    const family: Family = { definition, series: new Map(), readers: new Map() };
    this.#families.set(definition.name, family);
    if (definition.labels.length === 0) seriesOf(family, {});
    return family;
  }
}

/** Names of objects as labels would grow without end (SEC-49): where there are too many, all further ones are one. */
function seriesOf(family: Family, labels: Labels<string>): Series {
  const { definition, series } = family;
  const known = series.get(keyOf(definition, labels));
  if (known !== undefined) return known;
  if (series.size < (definition.maxSeries ?? Number.POSITIVE_INFINITY)) return newSeries(family, labels);
  const others = Object.fromEntries(definition.labels.map((label) => [label, "other"]));
  return series.get(keyOf(definition, others)) ?? newSeries(family, others);
}

function newSeries({ definition, series }: Family, labels: Labels<string>): Series {
  const { type, buckets: bounds = [] } = definition;
  const buckets = type === "histogram" ? [...bounds.map(() => 0), 0] : [];
  const made = { labels, value: 0, buckets };
  series.set(keyOf(definition, labels), made);
  return made;
}

function keyOf({ labels: names }: MetricDefinition, labels: Labels<string>): string {
  return names.map((name) => labels[name]).join("\n");
}
