import { outcomes } from "#api/work/event-reasons.ts";

/** Reasons of events on clusters. */
export const clusterEvents = {
  createExecutionSpace: outcomes("CreateExecutionSpace"),
  removeExecutionSpace: outcomes("RemoveExecutionSpace"),
  taintCluster: outcomes("TaintCluster"),
  syncImpersonationConfig: outcomes("SyncImpersonationConfig"),
} as const;
