import { patternMessage, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, namedText, notSupported, required, tooLong } from "#base/field-error.ts";
import { isMissing, textErrors } from "./value-rules.ts";

const statuses = ["False", "True", "Unknown"];
const reasonPattern = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonRule =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const maxReason = 1024;
const maxMessage = 32 * 1024;

/** What is wrong with conditions of the common form (metav1.Condition). */
export function conditionErrors(path: string, conditions: readonly Fields[] | undefined | null): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap((condition, index) => {
    const type: string = condition.type ?? "";
    const errors = seen.has(type) ? [duplicate(`${path}[${index}].type`, type)] : [];
    seen.add(type);
    return [...errors, ...oneConditionErrors(`${path}[${index}]`, { ...condition, type })];
  });
}

function oneConditionErrors(path: string, condition: Fields): FieldError[] {
  const { type, status = "", observedGeneration = 0, lastTransitionTime, reason, message = "" } = condition;
  const errors = textErrors(`${path}.type`, type, qualifiedNameErrors);
  if (!statuses.includes(status)) errors.push(notSupported(`${path}.status`, namedText(status), statuses));
  if (observedGeneration < 0) {
    errors.push(invalid(`${path}.observedGeneration`, observedGeneration, "must be greater than or equal to zero"));
  }
  if (isMissing(lastTransitionTime)) errors.push(required(`${path}.lastTransitionTime`));
  errors.push(...(isMissing(reason) ? [required(`${path}.reason`)] : reasonErrors(`${path}.reason`, reason)));
  if (bytesOf(message) > maxMessage) errors.push(tooLong(`${path}.message`, maxMessage));
  return errors;
}

function reasonErrors(path: string, reason: string): FieldError[] {
  const examples = ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"];
  const fits = new RegExp(`^${reasonPattern}$`).test(reason);
  return [
    ...(fits ? [] : [invalid(path, reason, patternMessage(reasonRule, reasonPattern, ...examples))]),
    ...(bytesOf(reason) > maxReason ? [tooLong(path, maxReason)] : []),
  ];
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
