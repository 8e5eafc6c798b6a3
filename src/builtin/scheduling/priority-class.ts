import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden } from "#base/field-error.ts";
import { preemptionErrors } from "../core/pod-spec-rules.ts";
import { immutableName } from "../value-rules.ts";

const maxUserPriority = 1_000_000_000;
const systemClasses: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

/** PriorityClasses. */
export const priorityClassStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  prefixJudgedOnce: true,
  applyDefaults: (draft: Draft) => {
    draft.preemptionPolicy ??= "PreemptLowerPriority";
  },
  validateNew: (object: Fields) => [
    ...valueErrors(object),
    ...preemptionErrors("preemptionPolicy", object.preemptionPolicy),
  ],
  validateUpdate: (object: Fields, old: Fields) => [
    ...(object.value === old.value ? [] : [forbidden("value", "may not be changed in an update.")]),
    ...immutableName("preemptionPolicy", object.preemptionPolicy, old.preemptionPolicy),
  ],
};

function valueErrors({ metadata, value, globalDefault }: Fields): FieldError[] {
  const name: string = metadata.name ?? "";
  if (!name.startsWith("system-")) {
    if (value <= maxUserPriority || value === undefined) return [];
    return [forbidden("value", `maximum allowed value of a user defined priority is ${maxUserPriority}`)];
  }
  const known = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined;
  if (known === value && globalDefault !== true) return [];
  const problem =
    known === undefined
      ? `${name} is not a known system priority class`
      : known !== value
        ? `value of ${name} PriorityClass must be ${known}`
        : `globalDefault of ${name} PriorityClass must be false`;
  const reserved = "priority class names with 'system-' prefix are reserved for system use only";
  return [forbidden("metadata.name", `${reserved}. error: ${problem}`)];
}
