import type { Manifest } from "#api/meta/manifest.ts";
import { interpretDependencies } from "#interpreter/interpret-natively.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

export const adapter: VectorAdapter = {
  getDependencies: {
    answer: ({ object }: { object: Manifest }) => {
      const found = interpretDependencies(object);
      return found.ok ? { out: { dependencies: found.value } } : { err: found.message };
    },
  },
};
