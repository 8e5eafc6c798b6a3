import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { asSent } from "../sent-empty.ts";
import { requiredOneOf, textErrors } from "../value-rules.ts";

const statuses = ["False", "True", "Unknown"];

/** What is wrong with the rules of a Job for pods that fail. */
export function failurePolicyErrors(job: Fields, path: string): FieldError[] {
  const { podFailurePolicy, template, backoffLimitPerIndex } = job;
  const spec: Fields = template?.spec ?? {};
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }: Fields) => name);
  const rules: readonly Fields[] = podFailurePolicy?.rules ?? [];
  return rules.flatMap((rule, index) => [
    ...actionErrors(rule.action, `${path}.rules[${index}].action`, backoffLimitPerIndex != null),
    ...ruleErrors(rule, `${path}.rules[${index}]`, containers),
  ]);
}

function actionErrors(action: unknown, path: string, countsByIndex: boolean): FieldError[] {
  if (!action) return [required(path, 'valid values: ["Count" "FailIndex" "FailJob" "Ignore"]')];
  if (action === "FailIndex" && !countsByIndex) {
    return [invalid(path, action, "requires the backoffLimitPerIndex to be set")];
  }
  return requiredOneOf(path, action, ["Count", "FailIndex", "FailJob", "Ignore"]);
}

function ruleErrors(rule: Fields, path: string, containers: readonly string[]): FieldError[] {
  const conditions: readonly Fields[] = rule.onPodConditions ?? [];
  const errors: FieldError[] = [];
  if (rule.onExitCodes != null) errors.push(...exitCodeErrors(rule.onExitCodes, `${path}.onExitCodes`, containers));
  errors.push(...conditions.flatMap((each, index) => conditionErrors(each, `${path}.onPodConditions[${index}]`)));
  const count = (rule.onExitCodes == null ? 0 : 1) + (conditions.length > 0 ? 1 : 0);
  if (count === 2) {
    errors.push(invalid(path, undefined, "specifying both OnExitCodes and OnPodConditions is not supported"));
  }
  if (count === 0) {
    errors.push(invalid(path, undefined, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
  return errors;
}

function conditionErrors({ type, status }: Fields, path: string): FieldError[] {
  const errors = textErrors(`${path}.type`, type ?? "", qualifiedNameErrors);
  if (!status) errors.push(required(`${path}.status`, `valid values: ["False" "True" "Unknown"]`));
  else if (!statuses.includes(status)) errors.push(notSupported(`${path}.status`, namedText(status), statuses));
  return errors;
}

function exitCodeErrors(codes: Fields, path: string, containers: readonly string[]): FieldError[] {
  const values: readonly number[] = codes.values ?? [];
  const errors = codes.operator
    ? requiredOneOf(`${path}.operator`, codes.operator, ["In", "NotIn"])
    : [required(`${path}.operator`, 'valid values: ["In" "NotIn"]')];
  if (codes.containerName != null && !containers.includes(codes.containerName)) {
    const message = "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(`${path}.containerName`, codes.containerName, message));
  }
  if (values.length === 0)
    errors.push(invalid(`${path}.values`, asSent(codes, "values") ?? null, "at least one value is required"));
  for (const [index, value] of values.entries()) {
    if (codes.operator === "In" && value === 0) {
      errors.push(invalid(`${path}.values[${index}]`, value, "must not be 0 for the In operator"));
    }
    if (values.indexOf(value) < index) errors.push(duplicate(`${path}.values[${index}]`, value));
  }
  if (values.some((value, index) => index > 0 && values[index - 1]! > value)) {
    errors.push(invalid(`${path}.values`, values, "must be ordered"));
  }
  return errors;
}
