/** Reasons of events on works. */
export const workEvents = {
  reflectStatus: outcomes("ReflectStatus"),
  interpretHealth: outcomes("InterpretHealth"),
  sync: outcomes("Sync"),
  dispatching: "WorkDispatching",
} as const;

/** Reasons of events on templates. */
export const templateEvents = {
  applyPolicy: outcomes("ApplyPolicy"),
  applyOverridePolicy: outcomes("ApplyOverridePolicy"),
  getDependencies: outcomes("GetDependencies"),
  getComponents: outcomes("GetComponents"),
  getReplicas: outcomes("GetReplicas"),
  preemptPolicy: outcomes("PreemptPolicy"),
} as const;

/** Reasons of events on bindings and their templates. */
export const bindingEvents = {
  syncWork: outcomes("SyncWork"),
  aggregateStatus: outcomes("AggregateStatus"),
  schedule: outcomes("ScheduleBinding"),
  deschedule: outcomes("DescheduleBinding"),
  evict: outcomes("EvictWorkloadFromCluster"),
  cleanupWorkFailed: "CleanupWorkFailed",
  syncToDependencies: outcomes("SyncScheduleResultToDependencies"),
  dependencyPolicyConflict: "DependencyPolicyConflict",
} as const;

/** The two reasons of something that either succeeds or fails. */
export function outcomes<const Name extends string>(name: Name) {
  return { succeed: `${name}Succeed`, failed: `${name}Failed` } as const;
}
