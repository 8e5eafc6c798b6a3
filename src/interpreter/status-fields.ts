/** What of a workload's status Kubernetes declares, and how it is counted over clusters. */
export interface WorkloadStatusShape {
  /** Counters that are reported by members and summed up. */
  readonly counters: readonly string[];
  /** Those that Kubernetes prints even when they are zero. */
  readonly printedWhenZero: readonly string[];
  /** What else the status of a template may hold, and keeps. */
  readonly others: readonly string[];
}

export const deploymentStatus: WorkloadStatusShape = {
  counters: ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"],
  printedWhenZero: [],
  others: ["conditions", "collisionCount", "terminatingReplicas"],
};

export const statefulSetStatus: WorkloadStatusShape = {
  counters: ["replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
  printedWhenZero: ["replicas", "availableReplicas"],
  others: ["conditions", "collisionCount", "currentRevision", "updateRevision"],
};

export const replicaSetStatus: WorkloadStatusShape = {
  counters: ["replicas", "readyReplicas", "availableReplicas", "fullyLabeledReplicas"],
  printedWhenZero: ["replicas"],
  others: ["conditions", "terminatingReplicas"],
};

export const daemonSetStatus: WorkloadStatusShape = {
  counters: [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
  ],
  printedWhenZero: ["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady"],
  others: ["conditions", "collisionCount"],
};

/** Counters as Kubernetes prints them: zero is left out, but for some. */
export function printCounters(
  counters: Readonly<Record<string, number>>,
  printedWhenZero: readonly string[],
): Readonly<Record<string, number>> {
  const printed: Record<string, number> = {};
  for (const name in counters)
    if (counters[name] !== 0 || printedWhenZero.includes(name)) printed[name] = counters[name]!;
  return printed;
}
