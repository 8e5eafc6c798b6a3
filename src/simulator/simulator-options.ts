import type { FaultRule } from "./faults.ts";

/** How a simulated member behaves. */
export interface SimulatorOptions {
  readonly nodes: NodeOptions;
  /**
   * `real`: workloads have ReplicaSets and Pods as in any cluster.
   * `counted`: workloads get the same status at the same pace, without objects for their pods; for fleets of many thousands.
   * Pods that somebody creates by hand run in either.
   */
  readonly pods: "real" | "counted";
  readonly pace: Pace;
  /** Standing faults; more can be set while it runs. */
  readonly faults: readonly FaultRule[];
}

export interface NodeOptions {
  readonly count: number;
  /** What each node has, by resource name. */
  readonly capacity: Readonly<Record<string, string>>;
}

/** How long things take. All zero: everything happens at once. */
export interface Pace {
  /** From a pod's scheduling to its readiness. */
  readonly startMs: number;
  /** From a pod's deletion to its end, but never more than its grace period. */
  readonly stopMs: number;
  /** How long the pods of a Job run. */
  readonly jobMs: number;
}

/** A wait shorter than this is not shown in a status of its own: nobody would see it, and each write costs. */
export const shownFromMs = 1_000;

export const defaultSimulatorOptions: SimulatorOptions = {
  nodes: { count: 3, capacity: { cpu: "8", memory: "32Gi", pods: "110", "ephemeral-storage": "100Gi" } },
  pods: "real",
  pace: { startMs: 300, stopMs: 300, jobMs: 700 },
  faults: [{ fault: { kind: "image-pull-error" }, image: "does-not-exist" }],
};

/** Everything at once: for tests. */
export const noDelays: Pace = { startMs: 0, stopMs: 0, jobMs: 0 };
