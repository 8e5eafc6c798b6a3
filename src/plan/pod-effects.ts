import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import { covers } from "#controllers/execution/compare-objects.ts";

interface Copy {
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
}

/** What happens to the pods of one copy of a workload. */
export interface PodEffects {
  readonly restarts: boolean;
  /** Replicas that are down at the same time, at most. */
  readonly replicasDown: number;
}

/** Which pods stop when a copy is changed or goes. What is no workload has none; what is scaled down on purpose is not down. */
export function podEffects(
  { before, after }: Copy,
  sent: { readonly before: unknown; readonly after: unknown },
): PodEffects {
  const [old, now] = [podTemplateOf(sent.before), podTemplateOf(sent.after)];
  if (before === undefined || (after !== undefined && old !== undefined && old === now)) return none;
  const running = replicasOf(before);
  if (running === undefined) return none;
  if (after === undefined) return { restarts: false, replicasDown: running };
  const isSame =
    old === undefined || now === undefined ? covers(podTemplateOf(before), podTemplateOf(after)) : jsonEquals(old, now);
  if (isSame) return none;
  return { restarts: running > 0, replicasDown: downAtOnce(after, Math.min(running, replicasOf(after) ?? running)) };
}

const none: PodEffects = { restarts: false, replicasDown: 0 };

function podTemplateOf(object: unknown): unknown {
  return (object as Fields | undefined)?.["spec"]?.template;
}

/** Undefined for what restarts no pods when it is changed. */
export function replicasOf(object: ApiObject): number | undefined {
  const { spec, status } = object as Fields;
  switch (object.kind) {
    case "Deployment":
    case "StatefulSet":
    case "ReplicaSet":
    case "ReplicationController":
      return Number(spec?.replicas ?? 1);
    case "DaemonSet":
      return Number(status?.desiredNumberScheduled ?? 0);
    case "Pod":
      return 1;
    default:
      return undefined;
  }
}

/** By the workload's own strategy. */
function downAtOnce(object: ApiObject, replicas: number): number {
  const { strategy, updateStrategy } = (object as Fields)["spec"] ?? {};
  switch (object.kind) {
    case "Deployment":
      if (strategy?.type === "Recreate") return replicas;
      return share(strategy?.rollingUpdate?.maxUnavailable ?? "25%", replicas);
    case "StatefulSet":
      return updateStrategy?.type === "OnDelete"
        ? 0
        : share(updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, replicas);
    case "DaemonSet":
      return updateStrategy?.type === "OnDelete"
        ? 0
        : share(updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, replicas);
    default:
      return 0;
  }
}

/** A number, or a percentage rounded down; never more than there are. */
function share(value: unknown, of: number): number {
  const text = String(value);
  const count = text.endsWith("%") ? Math.floor((Number.parseFloat(text) / 100) * of) : Number.parseInt(text, 10);
  return Math.max(0, Math.min(of, Number.isNaN(count) ? 0 : count));
}
