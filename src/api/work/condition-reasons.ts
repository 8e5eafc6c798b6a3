/** Conditions of bindings and works: types, reasons and fixed messages that clients match on. */
export const scheduledCondition = {
  type: "Scheduled",
  success: { reason: "Success", message: "Binding has been scheduled successfully." },
  noClusterFit: "NoClusterFit",
  unschedulable: "Unschedulable",
  schedulerError: "SchedulerError",
  quotaExceeded: "QuotaExceeded",
} as const;

export const fullyAppliedCondition = {
  type: "FullyApplied",
  success: { reason: "FullyAppliedSuccess", message: "All works have been successfully applied" },
  failed: {
    reason: "FullyAppliedFailed",
    message: "Failed to apply all works, see status.aggregatedStatus for details",
  },
} as const;

export const appliedCondition = {
  type: "Applied",
  success: { reason: "AppliedSuccessful", message: "Manifest has been successfully applied" },
  /** The message continues `(ok/total): <error>`. */
  failed: { reason: "AppliedFailed", message: "Failed to apply all manifests" },
} as const;

/** False while suspended: a condition called Dispatching that is True while nothing is dispatched would mislead. */
export const dispatchingCondition = {
  type: "Dispatching",
  dispatching: { reason: "Dispatching", message: "Work is being dispatched to member clusters." },
  suspended: { reason: "SuspendDispatching", message: "Work dispatching is in a suspended state." },
} as const;

/** True while a member's report is left out of a work because of its size or its numbers; absent otherwise. */
export const statusTruncatedCondition = { type: "StatusTruncated", reason: "StatusTruncated" } as const;

/** Condition types of a work that are declared upstream but written by nobody. */
export const unwrittenWorkConditions = ["Progressing", "Available", "Degraded"] as const;

/** Why a copy is evicted, and who says so. */
export const evictionReasons = {
  taintUntolerated: "TaintUntolerated",
  applicationFailure: "ApplicationFailure",
} as const;
export const taintManagerProducer = "TaintManager";

/** Whether something that a static policy or an edited template asks for waits. Absent where nothing ever waited. */
export const policyPendingCondition = {
  type: "PolicyPending",
  reasons: {
    "policy changed": "PolicyChanged",
    "another policy waits": "PolicyTakesOver",
    "no policy matches the edited template": "NoPolicyMatches",
    "released cluster by cluster": "ReleasedInOrder",
  },
  activated: { reason: "Activated", message: "Nothing waits: the binding is as its policy and its resource say." },
} as const;
