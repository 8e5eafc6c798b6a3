import type { Manifest } from "#api/meta/manifest.ts";
import { pruneManifest } from "#interpreter/prune-manifest.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

export const adapter: VectorAdapter = {
  removeIrrelevantFields: {
    answer: ({ object, removeJobTTL = false }: { object: Manifest; removeJobTTL?: boolean }) => {
      const pruned = pruneManifest(object, { keepJobTtl: !removeJobTTL });
      return pruned.ok ? { out: { object: pruned.value } } : { err: pruned.message };
    },
  },
};
