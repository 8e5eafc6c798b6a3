import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { aggregateBindingStatus } from "#interpreter/aggregate-binding.ts";
import type { VectorAdapter, VectorFunction } from "#test/vectors/vector.ts";

const now = "2026-03-01T12:00:00Z";

const aggregates: VectorFunction = {
  answer: ({ binding, works }: { binding: Binding; works: readonly Work[] }) => {
    const aggregated = aggregateBindingStatus(binding, { works, now });
    return aggregated.ok ? { out: { status: aggregated.value } } : { err: aggregated.message };
  },
  rules: { lenient: "counters", now },
};

export const adapter: VectorAdapter = {
  aggregateResourceBindingStatus: aggregates,
  aggregateClusterResourceBindingStatus: aggregates,
};
