import type { Manifest } from "#api/meta/manifest.ts";
import type { StatusItem } from "#interpreter/aggregate-status.ts";
import { aggregateStatus } from "#interpreter/interpret-natively.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

const now = "2026-03-01T12:00:00Z";

export const adapter: VectorAdapter = {
  aggregateStatus: {
    answer: ({ object, items }: { object: Manifest; items: readonly StatusItem[] }) => {
      const aggregated = aggregateStatus(object, { items, now });
      if (!aggregated.ok) return { err: aggregated.message };
      const { status } = aggregated.value;
      return { out: status === undefined ? {} : { status } };
    },
    rules: { lenient: "counters", now },
  },
};
