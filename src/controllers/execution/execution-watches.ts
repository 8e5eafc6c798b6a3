import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { workNameAnnotation, workNamespaceAnnotation } from "#api/work/work-keys.ts";
import type { Settling } from "#controllers/settling.ts";
import type { MemberView } from "#members/member.ts";
import type { Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";

interface WatchedWorks {
  readonly namespace: string;
  /** Whether anything is remembered of a work of this name, which is to be forgotten when the work has gone. */
  readonly isKnown: (name: string) => boolean;
}

/** A work is looked at when its spec changed or it is leaving; its status is our own doing. */
export function watchWorks(informer: Informer<ApiObject>, { namespace, isKnown }: WatchedWorks): Watch {
  return (enqueue) =>
    informer.subscribe(({ before, after, initial }) => {
      const same =
        before !== undefined &&
        after !== undefined &&
        before.metadata.generation === after.metadata.generation &&
        before.metadata.deletionTimestamp === after.metadata.deletionTimestamp;
      const { name } = (after ?? before)!.metadata;
      if (!same && (after !== undefined || isKnown(name))) enqueue(name, initial ? "background" : "user");
    }, namespace);
}

interface WatchedCopies {
  readonly namespace: string;
  readonly settling: Settling;
  /** Whether the member is known to have the work of this name: what comes from there is news then. */
  readonly isDone: (name: string) => boolean;
}

/** What changes in the member wakes the work that it came with: to repair, and to report. */
export function watchMember(member: MemberView, { namespace, settling, isDone }: WatchedCopies): Watch {
  return (enqueue) =>
    member.subscribe(({ before, after, initial }) => {
      const annotations = (after ?? before)?.metadata.annotations ?? {};
      const name = annotations[workNameAnnotation];
      if (name === undefined || annotations[workNamespaceAnnotation] !== namespace) return;
      const quietInMs = initial ? 0 : settling.note(name);
      enqueue(name, "background", isDone(name) ? quietInMs : 0);
    });
}

export interface MemberReadiness {
  readonly clusters: Informer<ApiObject>;
  /** Indexed by `namespace`. */
  readonly works: Informer<ApiObject>;
  readonly member: MemberView;
}

/** A member that comes back is looked at whole. */
export function watchReadiness({ clusters, works, member }: MemberReadiness): Watch {
  const isReady = (cluster: ApiObject | undefined) =>
    (cluster as unknown as Cluster | undefined)?.status?.conditions?.find(({ type }) => type === readyCondition.type)
      ?.status;
  const namespace = executionNamespaceOf(member.name);
  return (enqueue) =>
    clusters.subscribe(({ before, after }) => {
      if (after?.metadata.name !== member.name) return;
      const leaving = before?.metadata.deletionTimestamp !== after.metadata.deletionTimestamp;
      if (isReady(before) === isReady(after) && !leaving) return;
      for (const work of works.byIndex("namespace", namespace)) enqueue(work.metadata.name, "background");
    });
}
