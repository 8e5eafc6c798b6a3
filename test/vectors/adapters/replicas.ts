import type { Manifest } from "#api/meta/manifest.ts";
import { interpretReplicas, reviseReplicas } from "#interpreter/interpret-natively.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

export const adapter: VectorAdapter = {
  getReplicas: {
    answer: ({ object }: { object: Manifest }) => {
      const found = interpretReplicas(object);
      if (!found.ok) return { err: found.message };
      const { replicas, requirements } = found.value;
      return { out: { replicas, ...(requirements !== undefined && { replicaRequirements: requirements }) } };
    },
  },
  reviseReplica: {
    answer: ({ object, replicas }: { object: Manifest; replicas: number }) => {
      const revised = reviseReplicas(object, replicas);
      return revised.ok ? { out: { object: revised.value } } : { err: revised.message };
    },
    rules: { lenient: "empty" },
  },
};
