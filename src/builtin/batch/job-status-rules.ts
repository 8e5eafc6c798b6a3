import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, namedText, required } from "#base/field-error.ts";
import { goValue } from "../go-findings.ts";
import { nonNegativeMembers, sameValue } from "../value-rules.ts";
import { indexErrors } from "./job-index-rules.ts";

/**
 * What is wrong with the status of a job; most rules look only at what this write changes. The status of a template is that of its copies in
 * many clusters: it may be failed while some still run, its counters fall when a cluster goes, and old clusters announce no end. What
 * Kubernetes refuses of that is taken here.
 */
export function jobStatusErrors({ spec, status }: Fields, old: Fields): FieldError[] {
  const write: StatusWrite = { spec, now: status ?? {}, before: old.status ?? {} };
  return [
    ...nonNegativeMembers("status", write.now, ["active", "succeeded", "failed", "ready", "terminating"]),
    ...uncountedErrors(write.now.uncountedTerminatedPods),
    ...outcomeErrors(write),
    ...finishedErrors(write),
    ...indexErrors(write),
    ...podErrors(write),
    ...successErrors(write),
    ...courseErrors(write),
  ];
}

/** A status that takes the place of another. */
export interface StatusWrite {
  readonly spec: Fields;
  readonly now: Fields;
  readonly before: Fields;
}

function uncountedErrors(uncounted: Fields | undefined | null): FieldError[] {
  const seen = new Set<string>();
  return ["succeeded", "failed"].flatMap((list) =>
    (uncounted?.[list] ?? []).flatMap((uid: string | null, index: number) => {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (!uid) return [invalid(path, namedText(""), "must not be empty")];
      if (seen.has(uid)) return [duplicate(path, namedText(uid))];
      seen.add(uid);
      return [];
    }),
  );
}

function holds({ conditions }: Fields, type: string): boolean {
  return (conditions ?? []).some((condition: Fields) => condition.type === type && condition.status === "True");
}

function turns({ now, before }: StatusWrite, ...types: readonly string[]): boolean {
  return types.some((type) => holds(now, type) !== holds(before, type));
}

function differs({ now, before }: StatusWrite, ...members: readonly string[]): boolean {
  return members.some((member) => !sameValue(now[member], before[member]));
}

/** A finding about the conditions as a whole shows none of them. */
function unfit(detail: string): FieldError {
  return { path: "status.conditions", type: "invalid", detail };
}

function outcomeErrors(write: StatusWrite): FieldError[] {
  const { now } = write;
  const errors: FieldError[] = [];
  const [complete, failed, target] = ["Complete", "Failed", "FailureTarget"].map((type) => holds(now, type));
  if (turns(write, "Complete", "Failed") && complete && failed)
    errors.push(unfit("cannot set Complete=True and Failed=true conditions"));
  if (turns(write, "Complete", "FailureTarget") && complete && target)
    errors.push(unfit("cannot set Complete=True and FailureTarget=true conditions"));
  return [...errors, ...completionErrors(write)];
}

function completionErrors(write: StatusWrite): FieldError[] {
  const path = "status.completionTime";
  const { completionTime: end, startTime: start } = write.now;
  const complete = holds(write.now, "Complete");
  const errors: FieldError[] = [];
  if (turns(write, "Complete") || differs(write, "completionTime")) {
    if (end != null && !complete)
      errors.push(invalid(path, end, "cannot set completionTime when there is no Complete=True condition"));
    if (end == null && complete) errors.push(required(path, "completionTime is required for Complete jobs"));
  }
  const early = start != null && end != null && Date.parse(end) < Date.parse(start);
  if (early && differs(write, "startTime", "completionTime"))
    errors.push(invalid(path, end, "must be equal to or after `startTime`"));
  return errors;
}

function isFinished(status: Fields): boolean {
  return holds(status, "Complete") || holds(status, "Failed");
}

function finishes(write: StatusWrite, member: string): boolean {
  return isFinished(write.now) !== isFinished(write.before) || differs(write, member);
}

/** What may not be left of a job that is finished. */
function finishedErrors(write: StatusWrite): FieldError[] {
  const { uncountedTerminatedPods: uncounted } = write.now;
  const left = (uncounted?.failed ?? []).length + (uncounted?.succeeded ?? []).length;
  if (!isFinished(write.now) || !finishes(write, "uncountedTerminatedPods") || left === 0) return [];
  const shown = goValue("batch.UncountedTerminatedPods", uncounted);
  return [invalid("status.uncountedTerminatedPods", shown, "must be empty for finished job")];
}

function podErrors(write: StatusWrite): FieldError[] {
  const { terminating, ready, active } = write.now;
  const errors: FieldError[] = [];
  if (finishes(write, "terminating") && terminating > 0 && isFinished(write.now))
    errors.push(invalid("status.terminating", terminating, "terminating>0 is invalid for finished job"));
  if (differs(write, "ready", "active") && ready != null && ready > (active ?? 0))
    errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  return errors;
}

function successErrors({ spec, now }: StatusWrite): FieldError[] {
  const met = holds(now, "SuccessCriteriaMet");
  const errors: FieldError[] = [];
  if (met && holds(now, "Failed")) errors.push(unfit("cannot set SuccessCriteriaMet=True and Failed=true conditions"));
  if (met && holds(now, "FailureTarget"))
    errors.push(unfit("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"));
  if (spec.successPolicy != null && !met && holds(now, "Complete"))
    errors.push(unfit("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True"));
  return errors;
}

/** What goes one way only. */
function courseErrors(write: StatusWrite): FieldError[] {
  const { spec, now, before } = write;
  const errors = ["Failed", "Complete", "FailureTarget"]
    .filter((type) => holds(before, type) && !holds(now, type))
    .map((type) => unfit(`cannot disable the terminal ${type}=True condition`));
  const elastic = spec.completionMode === "Indexed" && sameValue(spec.completions, spec.parallelism);
  for (const counter of elastic ? ["failed"] : ["failed", "succeeded"]) {
    // below zero they fall for no cluster that went
    if (now[counter] < 0)
      errors.push(invalid(`status.${counter}`, now[counter], `cannot decrease the ${counter} counter`));
  }
  if (now.completionTime != null && before.completionTime != null && differs(write, "completionTime"))
    errors.push(invalid("status.completionTime", now.completionTime, "field is immutable"));
  errors.push(...startErrors(write));
  const [met, wasMet] = [holds(now, "SuccessCriteriaMet"), holds(before, "SuccessCriteriaMet")];
  if (wasMet && !met) errors.push(unfit("cannot disable the SuccessCriteriaMet=True condition"));
  if (holds(before, "Complete") && !wasMet && met)
    errors.push(unfit("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"));
  return errors;
}

function startErrors(write: StatusWrite): FieldError[] {
  const { spec, now, before } = write;
  if (before.startTime == null || !differs(write, "startTime") || spec.suspend === true) return [];
  const resumed = (now.conditions ?? []).some(({ type, status }: Fields) => type === "Suspended" && status === "False");
  if (holds(before, "Suspended") && resumed) return [];
  return [invalid("status.startTime", now.startTime ?? null, "field is immutable for unsuspended job once set")];
}
