import { appliedPlacementAnnotation } from "#api/policy/applied-keys.ts";
import { scheduledCondition } from "#api/work/condition-reasons.ts";
import type { Binding, BindingStatus } from "#api/work/resource-binding.ts";
import { jsonEquals, membersBut, mergeMembers } from "#base/json.ts";
import { acceptsBinding } from "#scheduling/accepted-binding.ts";
import { decideSchedule, type ScheduleDecision, type ScheduleFacts } from "#scheduling/decide-schedule.ts";
import { succeededStatus } from "#scheduling/scheduled-status.ts";
import type { JustPlaced } from "./just-placed.ts";

/** What is to be written to a binding after a scheduling cycle; absent parts stay as they are. */
export interface Placing {
  readonly decision: ScheduleDecision;
  readonly spec: Binding | undefined;
  readonly status: BindingStatus | undefined;
}

/** One cycle for a stored binding. A cycle that finds everything as it was writes nothing, not even the time. */
export function decidePlacing(facts: ScheduleFacts): Placing {
  const { binding, now } = facts;
  const decision = decideSchedule(withGone(facts));
  const placed = withDecision(binding, decision);
  // the detector placed it when it was written: nothing is left to decide but to say so
  const isPlaced = decision.trigger === undefined && isFirstNotice(binding);
  const status = isPlaced ? succeededStatus(binding, now) : decision.status;
  return {
    decision,
    spec: placed === binding ? undefined : placed,
    status: sameButTime(status, binding.status) ? undefined : status,
  };
}

/**
 * The status of a binding that was placed in the very write that made or changed it: nothing is left to decide but to say so. Whoever
 * writes the status next says it, so that one write carries both; undefined when it is said, or is not for us to say.
 */
export function unsaidStatus(facts: ScheduleFacts, justPlaced?: Pick<JustPlaced, "has">): BindingStatus | undefined {
  const { binding, clusters, now } = facts;
  if (!isNews(binding) || !acceptsBinding(binding)) return undefined;
  const namesGroup = (binding.spec.placement?.clusterAffinities?.length ?? 0) > 0; // which one it is takes a cycle
  if (!namesGroup && isFirstNotice(binding) && justPlaced?.has(binding, clusters)) return succeededStatus(binding, now);
  const placing = decidePlacing(facts);
  return isUnsaid(binding, placing) ? placing.status : undefined;
}

/** Whether a cycle about something new found the targets as they should be, so that it is only to be said. */
export function isUnsaid(binding: Binding, { spec, decision }: Placing): boolean {
  return spec === undefined && isNews(binding) && decision.attempts.at(-1)?.failure === undefined;
}

/** Whether a binding says something that scheduling has not said yet that it saw. */
export function isNews({ metadata, status }: Binding): boolean {
  return status?.schedulerObservedGeneration !== metadata.generation;
}

/** A binding that is about to be written for the first time, or anew, with the targets that scheduling gives it, if it gives any. */
export function placeBinding(facts: ScheduleFacts): {
  readonly binding: Binding;
  readonly decision?: ScheduleDecision;
} {
  if (!acceptsBinding(facts.binding)) return { binding: facts.binding };
  const decision = decideSchedule(withGone(facts));
  return { binding: withDecision(facts.binding, decision), decision };
}

/** A target that has left counts as one that is leaving: the binding may have been told to stay as it is while that went. */
function withGone(facts: ScheduleFacts): ScheduleFacts {
  const { names, leaving } = facts.clusters;
  const gone = (facts.binding.spec.clusters ?? []).filter(({ name }) => !names.has(name) && !leaving.has(name));
  if (gone.length === 0) return facts;
  return { ...facts, clusters: { ...facts.clusters, leaving: new Set([...leaving, ...gone.map(({ name }) => name)]) } };
}

function withDecision(binding: Binding, { clusters, appliedPlacement }: ScheduleDecision): Binding {
  const { annotations = {} } = binding.metadata;
  if (jsonEquals(clusters, binding.spec.clusters) && annotations[appliedPlacementAnnotation] === appliedPlacement)
    return binding;
  return {
    ...binding,
    metadata: {
      ...binding.metadata,
      annotations: mergeMembers(
        annotations,
        appliedPlacement === undefined ? {} : { [appliedPlacementAnnotation]: appliedPlacement },
      ),
    },
    spec: mergeMembers<unknown>(
      membersBut(binding.spec, targetsAlone),
      clusters === undefined ? {} : { clusters },
    ) as unknown as Binding["spec"], // the same, elsewhere
  };
}

const targetsAlone: ReadonlySet<string> = new Set(["clusters"]);

/** Whether a binding has targets, and does not say so yet. */
function isFirstNotice({ spec, status }: Binding): boolean {
  const said = status?.conditions?.some(
    ({ type, status: value }) => type === scheduledCondition.type && value === "True",
  );
  return spec.clusters !== undefined && !said;
}

function sameButTime(a: BindingStatus | undefined, b: BindingStatus | undefined): boolean {
  const untimed = (status: BindingStatus | undefined) => ({ ...status, lastScheduledTime: undefined });
  return jsonEquals(untimed(a), untimed(b));
}
