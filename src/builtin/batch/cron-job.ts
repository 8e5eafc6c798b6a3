import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { parseCronSchedule } from "#base/cron-schedule.ts";
import { type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { isMissing, nonNegativeMembers, requiredOneOf } from "../value-rules.ts";
import { nameWarnings } from "../warnings/name-warnings.ts";
import { isNewSpec } from "../warnings/template-warnings.ts";
import { defaultJobSpec, jobWarnings } from "./job.ts";
import { jobSpecErrors } from "./job-spec-rules.ts";

/** CronJobs. */
export const cronJobStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  warnings: (object: Fields, old: Fields | undefined) => [
    ...(old === undefined ? nameWarnings(object["metadata"].name) : []),
    ...(isNewSpec(object, old) ? jobWarnings(object["spec"].jobTemplate.spec ?? {}, "spec.jobTemplate.spec") : []),
  ],
  prefixJudgedOnce: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    const { spec } = draft;
    spec.concurrencyPolicy ||= "Allow";
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    spec.jobTemplate ??= {};
    spec.jobTemplate.metadata ??= {};
    spec.jobTemplate.spec ??= {};
    defaultJobSpec(spec.jobTemplate.spec);
  },
  prepareForCreate: (draft) => {
    draft.status = {};
  },
  validate: validateCronJob,
};

function validateCronJob({ metadata, spec }: Fields): FieldError[] {
  const errors = [
    ...scheduleErrors(spec),
    ...nonNegativeMembers("spec", spec, ["startingDeadlineSeconds"]),
    ...timeZoneErrors(spec.timeZone),
    ...requiredOneOf("spec.concurrencyPolicy", spec.concurrencyPolicy, ["Allow", "Forbid", "Replace"]),
    ...templateErrors(spec.jobTemplate?.spec ?? {}),
    ...nonNegativeMembers("spec", spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]),
  ];
  // its jobs are named after it, with eleven characters more
  if ((metadata.name ?? "").length > 52)
    errors.push(invalid("metadata.name", metadata.name, "must be no more than 52 characters"));
  return errors;
}

function scheduleErrors({ schedule }: Fields): FieldError[] {
  const path = "spec.schedule";
  if (isMissing(schedule)) return [required(path)];
  const parsed = parseCronSchedule(schedule);
  const errors = parsed.ok ? [] : [invalid(path, schedule, parsed.error)];
  if (schedule.includes("TZ")) {
    errors.push(invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  }
  return errors;
}

function timeZoneErrors(zone: unknown): FieldError[] {
  const path = "spec.timeZone";
  if (zone === undefined || zone === null) return [];
  if (zone === "") return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  const name = String(zone);
  const shaped = name
    .split("/")
    .every((part) => /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/.test(part) && !/^\.\.?$/.test(part));
  if (!shaped) return [invalid(path, namedText(zone), `unknown time zone ${name}`)];
  if (name.toLowerCase() === "local") {
    const message = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    return [invalid(path, namedText(zone), message)];
  }
  return isTimeZone(name) ? [] : [invalid(path, namedText(zone), `unknown time zone ${name}`)];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false; // a RangeError is how the platform says so
  }
}

function templateErrors(spec: Fields): FieldError[] {
  const errors = jobSpecErrors(spec, "spec.jobTemplate.spec");
  if (spec.selector != null) {
    errors.push(invalid("spec.jobTemplate.spec.selector", spec.selector, "`selector` will be auto-generated"));
  }
  if (spec.manualSelector === true) {
    errors.push(notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"]));
  }
  return errors;
}
