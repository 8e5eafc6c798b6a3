import type { Strategy } from "#api/meta/resource-type.ts";
import type { FieldError } from "#base/field-error.ts";
import type { GoForm } from "./go-form.ts";

/** A value that a message shows in the form of an internal Go type. */
class GoValue {
  readonly type: string;
  readonly value: unknown;

  constructor(type: string, value: unknown) {
    this.type = type;
    this.value = value;
  }
}

/** A finding whose words end with what is different between two values of a Go type. */
interface Differing extends FieldError {
  readonly difference: { readonly type: string; readonly old: unknown; readonly next: unknown };
}

/** Shows a value of a finding as Kubernetes does: in the form of an internal type such as `core.PodTemplateSpec`. */
export function goValue(type: string, value: unknown): unknown {
  return value === undefined || value === null ? null : new GoValue(type, value);
}

/** Ends the words of a finding with the difference of two values of a type. */
export function withDifference(error: FieldError, difference: Differing["difference"]): FieldError {
  return { ...error, difference } as Differing; // who knows the types reads it
}

/** The strategy with its findings in words: rules say which type they mean, the form knows how it looks. */
export function inGoForm(strategy: Strategy, form: GoForm): Strategy {
  const { validate, validateNew, validateUpdate, validateStatus } = strategy;
  const printed = (errors: readonly FieldError[]) => errors.map((error) => inWords(error, form));
  return {
    ...strategy,
    ...(validate === undefined ? {} : { validate: (object) => printed(validate(object)) }),
    ...(validateNew === undefined ? {} : { validateNew: (object) => printed(validateNew(object)) }),
    ...(validateUpdate === undefined ? {} : { validateUpdate: (object, old) => printed(validateUpdate(object, old)) }),
    ...(validateStatus === undefined ? {} : { validateStatus: (object, old) => printed(validateStatus(object, old)) }),
  };
}

function inWords(error: FieldError, form: GoForm): FieldError {
  if (error.value instanceof GoValue) return { ...error, value: form.of(error.value.type, error.value.value) };
  if (!("difference" in error)) return error;
  const { difference, ...plain } = error as Differing; // made above
  return { ...plain, detail: `${plain.detail}\n${form.difference(difference.type, difference.old, difference.next)}` };
}
