import type { Manifest } from "#api/meta/manifest.ts";
import { retainFields } from "#interpreter/interpret-natively.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

export const adapter: VectorAdapter = {
  retain: {
    answer: ({ desired, observed }: { desired: Manifest; observed: Manifest }) => {
      const retained = retainFields(desired, observed);
      return retained.ok ? { out: { object: retained.value } } : { err: retained.message };
    },
    rules: { lenient: "empty" },
  },
};
