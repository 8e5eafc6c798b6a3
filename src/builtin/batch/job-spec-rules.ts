import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, namedText, notSupported, required, tooLong } from "#base/field-error.ts";
import { podTemplateErrors } from "../core/pod-spec-rules.ts";
import { domainPathErrors } from "../domain-path.ts";
import { goValue } from "../go-findings.ts";
import { nonNegativeMembers, oneOf } from "../value-rules.ts";
import { failurePolicyErrors } from "./failure-policy-rules.ts";

const counters = ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"];
const maxIndexedParallelism = 100_000;

/** What is wrong with the spec of a Job, its own or that of a CronJob's template; the selector is the caller's. */
export function jobSpecErrors(spec: Fields, path: string): FieldError[] {
  const errors = nonNegativeMembers(path, spec, [...counters, "backoffLimitPerIndex", "maxFailedIndexes"]);
  if (spec.maxFailedIndexes != null && spec.backoffLimitPerIndex == null) {
    errors.push(required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  }
  return [
    ...errors,
    ...completionModeErrors(spec, path),
    ...(spec.completionMode === "Indexed" ? indexedErrors(spec, path) : []),
    ...(spec.completionMode === "NonIndexed" || spec.completionMode == null ? plainErrors(spec, path) : []),
    ...(spec.managedBy == null ? [] : managerErrors(`${path}.managedBy`, spec.managedBy)),
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...podTemplateErrors(spec.template ?? {}, `${path}.template`),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function indexedErrors(spec: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.completions == null) errors.push(required(`${path}.completions`, "when completion mode is Indexed"));
  if (spec.parallelism > maxIndexedParallelism) {
    const message = `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`;
    errors.push(invalid(`${path}.parallelism`, spec.parallelism, message));
  }
  if (spec.completions != null && spec.maxFailedIndexes > spec.completions) {
    errors.push(
      invalid(`${path}.maxFailedIndexes`, spec.maxFailedIndexes, "must be less than or equal to completions"),
    );
  }
  return errors;
}

function completionModeErrors({ completionMode: mode, successPolicy }: Fields, path: string): FieldError[] {
  const known = ["NonIndexed", "Indexed"];
  const errors: FieldError[] = [];
  if (mode != null && !known.includes(mode)) {
    errors.push(notSupported(`${path}.completionMode`, namedText(mode), known));
  }
  if (mode === "Indexed" || successPolicy == null) return errors;
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
  return oneOf(
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
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
