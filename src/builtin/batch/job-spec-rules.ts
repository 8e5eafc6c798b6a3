import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, namedText, notSupported, required, tooLong } from "#base/field-error.ts";
import { podTemplateErrors } from "../core/pod-spec-rules.ts";
import { domainPathErrors } from "../domain-path.ts";
import { goValue } from "../go-findings.ts";
import { nonNegativeMembers, oneOfGiven } from "../value-rules.ts";
import { failurePolicyErrors } from "./failure-policy-rules.ts";
import { indexedJobErrors, successPolicyErrors } from "./indexed-job-rules.ts";

const counters = ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"];

/** What is wrong with the spec of a Job, its own or that of a CronJob's template; the selector is the caller's. */
export function jobSpecErrors(spec: Fields, path: string): FieldError[] {
  const errors = nonNegativeMembers(path, spec, [...counters, "backoffLimitPerIndex", "maxFailedIndexes"]);
  if (spec.maxFailedIndexes != null && spec.backoffLimitPerIndex == null) {
    errors.push(required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  }
  return [
    ...errors,
    ...completionModeErrors(spec, path),
    ...(spec.completionMode === "Indexed" ? indexedJobErrors(spec, path) : []),
    ...(spec.completionMode === "NonIndexed" || spec.completionMode == null ? plainErrors(spec, path) : []),
    ...(spec.managedBy == null ? [] : managerErrors(`${path}.managedBy`, spec.managedBy)),
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...podTemplateErrors(spec.template ?? {}, `${path}.template`),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function completionModeErrors(spec: Fields, path: string): FieldError[] {
  const { completionMode: mode, successPolicy } = spec;
  const known = ["NonIndexed", "Indexed"];
  const errors: FieldError[] = [];
  if (mode != null && !known.includes(mode)) {
    errors.push(notSupported(`${path}.completionMode`, namedText(mode), known));
  }
  if (successPolicy == null) return errors;
  if (mode === "Indexed") return [...errors, ...successPolicyErrors(spec, `${path}.successPolicy`)];
  const shown = goValue("batch.SuccessPolicy", successPolicy);
  return [...errors, invalid(`${path}.successPolicy`, shown, "requires indexed completion mode")];
}

function plainErrors(spec: Fields, path: string): FieldError[] {
  return ["backoffLimitPerIndex", "maxFailedIndexes"]
    .filter((field) => spec[field] != null)
    .map((field) => invalid(`${path}.${field}`, spec[field], "requires indexed completion mode"));
}

function managerErrors(path: string, manager: string): FieldError[] {
  return [...domainPathErrors(path, manager), ...(byteLength(manager) > 63 ? [tooLong(path, 63)] : [])];
}

function replacementErrors(spec: Fields, path: string): FieldError[] {
  return oneOfGiven(
    path,
    spec.podReplacementPolicy,
    spec.podFailurePolicy == null ? ["Failed", "TerminatingOrFailed"] : ["Failed"],
  );
}

function restartErrors(spec: Fields, path: string): FieldError[] {
  const policy = spec.template?.spec?.restartPolicy ?? "";
  if (policy === "Always" || policy === "") return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never")
    return [notSupported(path, namedText(policy), ["OnFailure", "Never"])];
  if (spec.podFailurePolicy == null || policy === "Never") return [];
  return [invalid(path, namedText(policy), 'only "Never" is supported when podFailurePolicy is specified')];
}
