import { clusterOfExecutionNamespace } from "#api/cluster/namespaces.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { PlannedWait } from "#api/plan/plan-report.ts";
import { policyPendingCondition, scheduledCondition } from "#api/work/condition-reasons.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { jsonEquals } from "#base/json.ts";
import type { TemplateEffects } from "./describe-template.ts";
import type { ObjectDifference } from "./forked-caches.ts";
import type { Outcome } from "./outcome.ts";

/** What of a template's changes does not happen, and why. */
export function waitsOf({ binding, works }: TemplateEffects, outcome: Outcome): readonly PlannedWait[] {
  const after = binding?.after as unknown as Binding | undefined; // of either scope
  const leaves = leaving(after);
  const waits = conditionWaits(after);
  const unsent = works.filter((work) => isHeld(work, outcome) && isUnsent(work));
  if (unsent.length === 0) return [...waits, ...leaves];
  const held = (which: (cluster: string, work: Work) => boolean) =>
    unsent.flatMap(({ after: work }) => {
      const cluster = clusterOfExecutionNamespace(work!.metadata.namespace ?? "") ?? "";
      return which(cluster, work as unknown as Work) ? [cluster] : []; // a work
    });
  const suspended = held((_, work) => work.spec.suspendDispatching === true);
  const unready = held((cluster, work) => work.spec.suspendDispatching !== true && outcome.unready.has(cluster));
  return [
    ...waits,
    ...(suspended.length === 0
      ? []
      : [{ why: "suspended" as const, message: "Dispatching is suspended.", clusters: suspended.toSorted() }]),
    ...(unready.length === 0
      ? []
      : [
          {
            why: "not ready" as const,
            message: "The cluster gets it when it is well again.",
            clusters: unready.toSorted(),
          },
        ]),
    ...refusals(unsent, outcome),
    ...leaves,
  ];
}

/** Whether anything keeps a work from its member: then it matters whether it was to be sent. */
export function isHeld({ after }: ObjectDifference, { unready, log }: Outcome): boolean {
  const work = after as unknown as Work | undefined; // a work
  if (work === undefined) return false;
  if (unready.size === 0 && log.refusals.size === 0) return work.spec.suspendDispatching === true;
  const cluster = clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? "";
  return (
    work.spec.suspendDispatching === true ||
    unready.has(cluster) ||
    log.refusals.get(`${cluster}/${work.metadata.name}`) !== undefined
  );
}

/** A work that says something else than before and is still there. */
function isUnsent({ before, after }: ObjectDifference): boolean {
  return after !== undefined && !jsonEquals(before?.["spec"], after["spec"]);
}

function conditionWaits(binding: Binding | undefined): readonly PlannedWait[] {
  const { conditions = [] } = binding?.status ?? {};
  return conditions.flatMap(({ type, status, message = "" }): readonly PlannedWait[] => {
    if (type === policyPendingCondition.type && status === "True") return [{ why: "static", message }];
    if (type === scheduledCondition.type && status === "False") return [{ why: "no fit", message }];
    return [];
  });
}

function refusals(works: readonly ObjectDifference[], { log }: Outcome): readonly PlannedWait[] {
  return works.flatMap(({ after }) => {
    const { namespace = "", name } = (after as ApiObject).metadata;
    const cluster = clusterOfExecutionNamespace(namespace) ?? "";
    const message = log.refusals.get(`${cluster}/${name}`);
    return message === undefined ? [] : [{ why: "refused" as const, message, clusters: [cluster] }];
  });
}

function leaving(binding: Binding | undefined): readonly PlannedWait[] {
  const { gracefulEvictionTasks = [] } = binding?.spec ?? {};
  if (gracefulEvictionTasks.length === 0) return [];
  const clusters = gracefulEvictionTasks.map(({ fromCluster }) => fromCluster).toSorted();
  return [{ why: "leaving", message: "The copy goes once its replacement is healthy.", clusters }];
}
