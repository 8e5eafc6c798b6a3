import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, required, tooLong, tooMany } from "#base/field-error.ts";
import { nonNegative } from "../value-rules.ts";
import { readIndexes } from "./job-index-rules.ts";

const maxParallelism = 100_000;
const maxFailed = 100_000;
const manyCompletions = 100_000;
const limitOfMany = 10_000;

/** What is wrong with a job whose pods have numbers. */
export function indexedJobErrors(spec: Fields, path: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes: failed } = spec;
  const errors: FieldError[] = [];
  if (completions == null) errors.push(required(`${path}.completions`, "when completion mode is Indexed"));
  if (parallelism > maxParallelism) {
    const message = `must be less than or equal to ${maxParallelism} when completion mode is Indexed`;
    errors.push(invalid(`${path}.parallelism`, parallelism, message));
  }
  if (completions != null && failed != null && failed > completions) {
    errors.push(invalid(`${path}.maxFailedIndexes`, failed, "must be less than or equal to completions"));
  }
  if (failed != null && failed > maxFailed) {
    errors.push(invalid(`${path}.maxFailedIndexes`, failed, `must be less than or equal to ${maxFailed}`));
  }
  return [...errors, ...largeJobErrors(spec, path)];
}

function largeJobErrors(spec: Fields, path: string): FieldError[] {
  const { completions = 0, parallelism = 0, maxFailedIndexes: failed, backoffLimitPerIndex } = spec;
  if ((completions ?? 0) <= manyCompletions || backoffLimitPerIndex == null) return [];
  const bound = `must be less than or equal to ${limitOfMany} when completions are above ${manyCompletions} and used with backoff limit per index`;
  const errors: FieldError[] = [];
  if (failed == null) {
    const message = `must be specified when completions is above ${manyCompletions}`;
    errors.push(required(`${path}.maxFailedIndexes`, message));
  }
  if (parallelism > limitOfMany) errors.push(invalid(`${path}.parallelism`, parallelism, bound));
  if (failed != null && failed > limitOfMany) errors.push(invalid(`${path}.maxFailedIndexes`, failed, bound));
  return errors;
}

const maxRules = 20;
const maxIndexBytes = 64 * 1024;

/** What is wrong with the rules by which such a job has succeeded before all of its pods have. */
export function successPolicyErrors({ successPolicy, completions }: Fields, path: string): FieldError[] {
  const rules: readonly Fields[] = successPolicy.rules ?? [];
  const none = "at least one rules must be specified when the successPolicy is specified";
  return [
    ...(rules.length === 0 ? [required(`${path}.rules`, none)] : []),
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `${path}.rules[${index}]`, completions ?? 0)),
  ];
}

function ruleErrors(
  { succeededCount: count, succeededIndexes: indexes }: Fields,
  path: string,
  completions: number,
): FieldError[] {
  const errors: FieldError[] = [];
  if (count == null && indexes == null) {
    errors.push(required(path, "at least one of succeededCount or succeededIndexes must be specified"));
  }
  const read = readIndexes(indexes ?? "", completions);
  if (indexes != null) {
    const at = `${path}.succeededIndexes`;
    if (byteLength(indexes) > maxIndexBytes) errors.push(tooLong(at, maxIndexBytes));
    if (typeof read === "string") errors.push(invalid(at, indexes, `error parsing succeededIndexes: ${read}`));
  }
  if (count == null) return errors;
  const at = `${path}.succeededCount`;
  const total = typeof read === "string" ? 0 : read;
  errors.push(...nonNegative(at, count));
  const bound = (most: number, of: string) =>
    invalid(at, count, `must be less than or equal to ${most} (the number of ${of})`);
  if (count > completions) errors.push(bound(completions, "specified completions"));
  if (indexes != null && count > total) errors.push(bound(total, "indexes in the specified succeededIndexes field"));
  return errors;
}
