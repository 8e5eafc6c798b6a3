import type { Manifest } from "#api/meta/manifest.ts";
import { interpretHealth } from "#interpreter/interpret-natively.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

export const adapter: VectorAdapter = {
  interpretHealth: {
    answer: ({ object }: { object: Manifest }) => {
      const found = interpretHealth(object);
      return found.ok ? { out: { healthy: found.value } } : { err: found.message };
    },
  },
};
