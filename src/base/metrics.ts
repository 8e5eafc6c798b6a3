/** A number that only grows. */
export interface Counter {
  /** By one, unless told otherwise. */
  add(amount?: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number): void;
  /** What it spoke of is gone: it is told no more. */
  remove(): void;
}

/** How often something came out how large. */
export interface Histogram {
  observe(value: number): void;
}

export type MetricType = "counter" | "gauge" | "histogram";

/** One metric: what it is called, what it tells, and by what it is told apart. */
export interface MetricDefinition<Type extends MetricType = MetricType, Label extends string = string> {
  readonly type: Type;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds, rising; for histograms. */
  readonly buckets?: readonly number[];
  /** How many label sets are told apart; all further ones are counted together under the value `other`. */
  readonly maxSeries?: number;
}

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

/**
 * Where figures go. A handle is asked for once and used ever after: using it costs next to nothing, asking for it does not. Two
 * handles of one definition with the same labels are the same figure.
 */
export interface Metrics {
  counter<Label extends string>(definition: MetricDefinition<"counter", Label>, labels: Labels<Label>): Counter;
  gauge<Label extends string>(definition: MetricDefinition<"gauge", Label>, labels: Labels<Label>): Gauge;
  histogram<Label extends string>(definition: MetricDefinition<"histogram", Label>, labels: Labels<Label>): Histogram;
  /** A gauge that is read when somebody looks; several readers under the same labels add up. Returns the function that ends it. */
  reading<Label extends string>(
    definition: MetricDefinition<"gauge", Label>,
    labels: Labels<Label>,
    read: () => number,
  ): () => void;
}

/** For tests and tools that want no figures. */
export const silentMetrics: Metrics = {
  counter: () => ({ add() {} }),
  gauge: () => ({ set() {}, remove() {} }),
  histogram: () => ({ observe() {} }),
  reading: () => () => {},
};

/** Handles by what they are told apart by, each asked for at its first use. */
export class Handles<Handle> {
  readonly #make: (key: string) => Handle;
  readonly #known = new Map<string, Handle>();

  constructor(make: (key: string) => Handle) {
    this.#make = make;
  }

  of(key: string): Handle {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#make(key);
    this.#known.set(key, made);
    return made;
  }
}
