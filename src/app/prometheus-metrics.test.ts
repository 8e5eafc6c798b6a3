import fc from "fast-check";
import * as prometheus from "prom-client";
import { expect, test } from "vitest";
import { counter, gauge, histogram } from "#api/metrics/define-metric.ts";
import { parseExposition } from "#test/world/exposition.ts";
import { PrometheusMetrics } from "./prometheus-metrics.ts";

const labels = ["who", "how"] as const;
const buckets = [0.5, 1, 10];
const told = {
  counter: counter("counted_total", labels, "How\noften \\ told."),
  gauge: gauge("gauged", labels, "How much."),
  histogram: histogram("observed", labels, { help: "How long.", buckets }),
};

/** The figures of Prometheus' own client, by the same names. */
function reference() {
  const registry = new prometheus.Registry();
  const options = (name: keyof typeof told) => ({
    name: told[name].name,
    help: told[name].help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    registry,
    counter: new prometheus.Counter(options("counter")),
    gauge: new prometheus.Gauge(options("gauge")),
    histogram: new prometheus.Histogram({ ...options("histogram"), buckets }),
  };
}

const textLabel = fc.constantFrom("a", "b", "", 'quoted "x"', "back\\slash", "line\nbreak");
const step = fc.record({
  do: fc.constantFrom("add", "set", "remove", "observe"),
  labels: fc.record({ who: textLabel, how: textLabel }),
  value: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0.25, 0.5, 1e21, 1.5e-7)),
});

test("whatever is counted, it is told as Prometheus' own client tells it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const theirs = reference();
      const ours = new PrometheusMetrics();
      for (const definition of Object.values(told)) ours.declare(definition);
      for (const each of steps) {
        if (each.do === "add") {
          theirs.counter.labels(each.labels).inc(each.value);
          ours.counter(told.counter, each.labels).add(each.value);
        } else if (each.do === "observe") {
          theirs.histogram.labels(each.labels).observe(each.value);
          ours.histogram(told.histogram, each.labels).observe(each.value);
        } else if (each.do === "set") {
          theirs.gauge.labels(each.labels).set(each.value);
          ours.gauge(told.gauge, each.labels).set(each.value);
        } else {
          theirs.gauge.remove(each.labels);
          ours.gauge(told.gauge, each.labels).remove();
        }
      }
      expect(linesOf(ours.text())).toEqual(linesOf(await theirs.registry.metrics()));
    }),
    { numRuns: 300 },
  );
});

/** Samples in an order of their own; a family's description comes first in both. */
function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .toSorted();
}

test("a handle is a figure: two of the same labels are the same, and what is removed comes back when it is set", () => {
  const metrics = new PrometheusMetrics();
  const own = { who: "a", how: "b" };
  metrics.counter(told.counter, own).add();
  metrics.counter(told.counter, own).add(2);
  const level = metrics.gauge(told.gauge, own);
  level.set(1);
  level.remove();
  expect(metrics.text()).not.toContain("gauged{");
  level.set(4);
  const { samples } = parseExposition(metrics.text());
  expect(samples.map(({ name, value }) => [name, value])).toEqual([
    ["counted_total", 3],
    ["gauged", 4],
  ]);
});

test("what has no labels is told from the start, and readers of one figure add up until they end", () => {
  const metrics = new PrometheusMetrics();
  const plain = gauge("plain", [], "Plain.");
  metrics.declare(plain);
  expect(metrics.text()).toBe("# HELP plain Plain.\n# TYPE plain gauge\nplain 0\n");
  const end = metrics.reading(plain, {}, () => 2);
  metrics.reading(plain, {}, () => 3);
  expect(metrics.text()).toContain("plain 5\n");
  end();
  expect(metrics.text()).toContain("plain 3\n");
});

test("SEC-49: beyond as many label sets as a metric may have, all further ones are counted as one", () => {
  const metrics = new PrometheusMetrics();
  const limited = { ...told.counter, maxSeries: 2 };
  for (const who of ["a", "b", "c", "d", "a"]) metrics.counter(limited, { who, how: "x" }).add();
  const { samples } = parseExposition(metrics.text());
  expect(samples.map(({ labels: { who, how }, value }) => [who, how, value])).toEqual([
    ["a", "x", 2],
    ["b", "x", 1],
    ["other", "other", 2],
  ]);
});
