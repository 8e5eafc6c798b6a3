import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";

/**
 * An object as it would be admitted at a moment of a plan. Whoever admits it does so now, which is when the plan began: taints that drive
 * out count from the moment at which they are added, and that is later in the plan.
 */
export function withTaintsInTime(object: ApiObject, { beganMs, nowMs }: { beganMs: number; nowMs: number }): ApiObject {
  const { taints } = (object as unknown as Cluster).spec ?? {}; // or nothing that has taints
  if (object.kind !== Clusters.kind || taints === undefined || nowMs === beganMs) return object;
  const isNew = (timeAdded: string | undefined) => Date.parse(timeAdded ?? "") >= Math.floor(beganMs / 1_000) * 1_000;
  const inTime = taints.map((taint) => (isNew(taint.timeAdded) ? { ...taint, timeAdded: formatTime(nowMs) } : taint));
  return { ...object, spec: { ...(object["spec"] as object), taints: inTime } } as unknown as ApiObject; // a Cluster still
}
