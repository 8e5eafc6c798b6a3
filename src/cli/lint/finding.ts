/** Something about a policy that is wrong or probably not meant. */
export interface Finding {
  readonly code: FindingCode;
  /** Errors can only be mistakes; warnings probably are. */
  readonly severity: "error" | "warning";
  /** The policy, as people name it, and the field where one is at fault. */
  readonly where: string;
  readonly why: string;
  /** What to do about it. */
  readonly advice: string;
}

export type FindingCode =
  | "never-matches"
  | "excluded-entirely"
  | "shadowed"
  | "tie"
  | "contradiction"
  | "placement-empty"
  | "too-few-clusters"
  | "no-cluster"
  | "unknown-cluster"
  | "static-suspended"
  | "static-preemption"
  | "override-unmatched"
  | "override-untargeted"
  | "twice";
