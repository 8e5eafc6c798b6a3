import * as prometheus from "prom-client";
import type { Counter, Gauge, Histogram, Labels, MetricDefinition, Metrics } from "#base/metrics.ts";

/** Figures as Prometheus reads them. Every process, and every test, has its own. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new prometheus.Registry();
  readonly #families = new Map<string, unknown>();
  /** Label sets in use, where their number is limited. */
  readonly #series = new Map<string, Set<string>>();
  readonly #readers = new Map<string, Map<string, Readers>>();

  counter<Label extends string>(definition: MetricDefinition<"counter", Label>, labels: Labels<Label>): Counter {
    const child = this.#counterOf(definition).labels(this.#limited(definition, labels));
    return { add: (amount = 1) => child.inc(amount) };
  }

  gauge<Label extends string>(definition: MetricDefinition<"gauge", Label>, labels: Labels<Label>): Gauge {
    const family = this.#gaugeOf(definition);
    const child = family.labels(labels);
    return { set: (value) => child.set(value), remove: () => family.remove(labels) };
  }

  histogram<Label extends string>(definition: MetricDefinition<"histogram", Label>, labels: Labels<Label>): Histogram {
    const child = this.#histogramOf(definition).labels(labels);
    return { observe: (value) => child.observe(value) };
  }

  reading<Label extends string>(
    definition: MetricDefinition<"gauge", Label>,
    labels: Labels<Label>,
    read: () => number,
  ): () => void {
    this.#gaugeOf(definition);
    const key = definition.labels.map((label) => labels[label]).join("\n");
    const readers = this.#readers.get(definition.name)!;
    const known = readers.get(key) ?? { labels, all: new Set() };
    readers.set(key, known);
    known.all.add(read);
    return () => known.all.delete(read);
  }

  /** A number that somebody else counts, read when somebody looks. */
  readingTotal({ name, help }: MetricDefinition<"counter", never>, read: () => number): void {
    const family: prometheus.Counter = new prometheus.Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        family.reset();
        family.inc(read());
      },
    });
  }

  /** Makes a metric known, so that it is described even while nothing is counted. */
  declare(definition: MetricDefinition): void {
    if (isOf("counter", definition)) this.#counterOf(definition);
    else if (isOf("gauge", definition)) this.#gaugeOf(definition);
    else if (isOf("histogram", definition)) this.#histogramOf(definition);
  }

  /** The exposition text, version 0.0.4. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #counterOf<Label extends string>(definition: MetricDefinition<"counter", Label>): prometheus.Counter<Label> {
    return this.#family(definition, (options) => new prometheus.Counter(options));
  }

  #gaugeOf<Label extends string>(definition: MetricDefinition<"gauge", Label>): prometheus.Gauge<Label> {
    return this.#family(definition, (options) => {
      const readers = new Map<string, Readers>();
      this.#readers.set(definition.name, readers);
      const family: prometheus.Gauge<Label> = new prometheus.Gauge({
        ...options,
        collect: () => collect(family, readers),
      });
      return family;
    });
  }

  #histogramOf<Label extends string>(definition: MetricDefinition<"histogram", Label>): prometheus.Histogram<Label> {
    return this.#family(
      definition,
      (options) => new prometheus.Histogram({ ...options, buckets: [...(definition.buckets ?? [])] }),
    );
  }

  /** One family for each name: who comes second gets what is there. */
  #family<Family, Label extends string>(
    { name, help, labels }: MetricDefinition<MetricDefinition["type"], Label>,
    make: (options: FamilyOptions<Label>) => Family,
  ): Family {
    const known = this.#families.get(name) as Family | undefined; // one definition for each name
    if (known !== undefined) return known;
    const made = make({ name, help, labelNames: labels, registers: [this.#registry] });
    this.#families.set(name, made);
    return made;
  }

  /** Names of objects as labels would grow without end (SEC-49). */
  #limited<Label extends string>(
    { name, labels: names, maxSeries }: MetricDefinition<MetricDefinition["type"], Label>,
    labels: Labels<Label>,
  ): Labels<Label> {
    if (maxSeries === undefined) return labels;
    const known = this.#series.get(name) ?? new Set();
    this.#series.set(name, known);
    const key = names.map((each) => labels[each]).join("\n");
    if (known.size < maxSeries) known.add(key);
    if (known.has(key)) return labels;
    return Object.fromEntries(names.map((each) => [each, "other"])) as Labels<Label>; // the same names
  }
}

interface FamilyOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly registers: prometheus.Registry[];
}

interface Readers {
  readonly labels: Labels<string>;
  readonly all: Set<() => number>;
}

function collect<Label extends string>(family: prometheus.Gauge<Label>, readers: ReadonlyMap<string, Readers>): void {
  for (const { labels, all } of readers.values()) {
    let sum = 0;
    for (const read of all) sum += read();
    family.labels(labels as Labels<Label>).set(sum); // those of its definition
  }
}

function isOf<Type extends MetricDefinition["type"]>(
  type: Type,
  definition: MetricDefinition,
): definition is MetricDefinition<Type> {
  return definition.type === type;
}
