import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import { notReadyTaint, unreachableTaint } from "#api/cluster/taint-keys.ts";

/** The key of the taint that a cluster's health asks for; undefined for one that is well, or never reported. */
export function healthTaintKey(status: Cluster["status"]): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === readyCondition.type)?.status;
  if (ready === "False") return notReadyTaint;
  return ready === "Unknown" ? unreachableTaint : undefined;
}
