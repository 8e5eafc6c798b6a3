import type { MetricDefinition } from "#base/metrics.ts";

/** Declares a number that only grows. */
export function counter<const Label extends string>(
  name: string,
  labels: readonly Label[],
  help: string,
): MetricDefinition<"counter", Label> {
  return { type: "counter", name, labels, help };
}

/** Declares a number that goes up and down. */
export function gauge<const Label extends string>(
  name: string,
  labels: readonly Label[],
  help: string,
): MetricDefinition<"gauge", Label> {
  return { type: "gauge", name, labels, help };
}

/** Declares how often something came out how large. */
export function histogram<const Label extends string>(
  name: string,
  labels: readonly Label[],
  { help, buckets }: { readonly help: string; readonly buckets: readonly number[] },
): MetricDefinition<"histogram", Label> {
  return { type: "histogram", name, labels, help, buckets };
}

/** Bounds of which each is twice the one before. */
export function doubling(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first * 2 ** index);
}
