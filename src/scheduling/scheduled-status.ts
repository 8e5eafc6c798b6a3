import type { Condition } from "#api/meta/condition.ts";
import { withConditions } from "#api/meta/with-condition.ts";
import { scheduledCondition } from "#api/work/condition-reasons.ts";
import type { Binding, BindingStatus } from "#api/work/resource-binding.ts";
import type { ScheduleFailure } from "./schedule-pass.ts";

/** The status of a binding that was scheduled: it says so, when, and for which generation. */
export function succeededStatus(binding: Binding, now: string): BindingStatus {
  const { success } = scheduledCondition;
  const status = withScheduled(binding, { status: "True", ...success }, now);
  return { ...status, ...observedGeneration(binding), lastScheduledTime: now };
}

/** What the event says of a binding that was scheduled. */
export function scheduledText({ clusters = [] }: Pick<Binding["spec"], "clusters">): string {
  const result = clusters.map(({ name, replicas = 0 }) => `${name}:${replicas}`).join(", ");
  return `Binding has been scheduled successfully. Result: {${result}}`;
}

/** The status of a binding that could not be scheduled; what was observed stays what it was. */
export function failedStatus(binding: Binding, { reason, message }: ScheduleFailure, now: string): BindingStatus {
  return withScheduled(binding, { status: "False", reason, message }, now);
}

/** The status of a binding that needs no scheduling: the generation has been looked at. */
export function observedStatus(binding: Binding): BindingStatus {
  return { ...binding.status, ...observedGeneration(binding) };
}

function observedGeneration({ metadata }: Binding): BindingStatus {
  return metadata.generation === undefined ? {} : { schedulerObservedGeneration: metadata.generation };
}

type Finding = Pick<Condition, "status" | "reason" | "message">;

function withScheduled({ status = {} }: Binding, finding: Finding, now: string): BindingStatus {
  const verdict = { type: scheduledCondition.type, ...finding };
  return { ...status, conditions: withConditions<Condition>(status.conditions ?? [], [verdict], now) };
}
