import type { Fields } from "#api/meta/object-meta.ts";
import type { PodCounts } from "../pods/pod-counts.ts";
import type { SimulatedObject } from "../simulated-object.ts";

export interface StatefulSetStatusFacts {
  readonly set: SimulatedObject;
  readonly counts: PodCounts;
  /** The name of the present template's revision. */
  readonly updateRevision: string;
  /** How many pods have the template of a revision. */
  readonly ofRevision: (name: string) => number;
}

/** The status of a StatefulSet with these pods, in real and in counted mode alike. */
export function statefulSetStatus({ set, counts, updateRevision, ofRevision }: StatefulSetStatusFacts): Fields {
  const before: string = set.status?.["currentRevision"] ?? updateRevision;
  const updated = ofRevision(updateRevision);
  const rolledOut = updated === counts.replicas && counts.ready === counts.replicas;
  const follows = rolledOut && set.spec["updateStrategy"]?.type === "RollingUpdate";
  const currentRevision = follows ? updateRevision : before;
  const current = ofRevision(currentRevision);
  return {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: counts.replicas,
    ...(counts.ready > 0 ? { readyReplicas: counts.ready } : {}),
    ...(current > 0 ? { currentReplicas: current } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    currentRevision,
    updateRevision,
    collisionCount: 0,
    availableReplicas: counts.available,
  };
}
