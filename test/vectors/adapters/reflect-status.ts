import type { Manifest } from "#api/meta/manifest.ts";
import { reflectStatus } from "#interpreter/interpret-natively.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

export const adapter: VectorAdapter = {
  reflectStatus: {
    answer: ({ object }: { object: Manifest }) => {
      const reflected = reflectStatus(object);
      if (!reflected.ok) return { err: reflected.message };
      return { out: reflected.value === undefined ? {} : { status: reflected.value } };
    },
    rules: { lenient: "counters" },
  },
};
