import { type LabelSelector, labelSelectorErrors, selectsLabels } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { podTemplateErrors } from "../core/pod-spec-rules.ts";
import { goValue } from "../go-findings.ts";
import { asSent } from "../sent-empty.ts";
import { immutableIn } from "../value-rules.ts";

/** What is wrong with the selector of a workload: it must be there, be well formed and not be empty. */
export function requiredSelectorErrors(selector: LabelSelector | undefined, kind: string): FieldError[] {
  if (selector == null) return [required("spec.selector")];
  const errors = labelSelectorErrors(selector, "spec.selector");
  if (isEmpty(selector)) errors.push(invalid("spec.selector", selector, `empty selector is invalid for ${kind}`));
  return errors;
}

/** Whether a selector is none that could be asked. */
export function isBroken(selector: LabelSelector | undefined): boolean {
  return selector != null && labelSelectorErrors(selector, "").length > 0;
}

/** What is said once more of a broken selector, before its template is left alone. */
export function brokenSelectorError(selector: LabelSelector | undefined, detail: string): FieldError {
  return invalid("spec.selector", goValue("v1.LabelSelector", selector), detail);
}

/** A selector may not change. */
export function keptSelectorErrors({ spec }: Fields, old: Fields): FieldError[] {
  return immutableIn("v1.LabelSelector", "spec.selector", { value: spec.selector, old: old.spec.selector });
}

/** A selector that does not select the pods of its own template; of what is no selector nothing is said. */
export function mismatchErrors(selector: LabelSelector | undefined, template: Fields | undefined): FieldError[] {
  const labels = template?.metadata?.labels;
  if (isBroken(selector) || selectsLabels(selector, labels)) return [];
  const message = "`selector` does not match template `labels`";
  return [
    invalid("spec.template.metadata.labels", goValue("map string", asSent(template?.metadata, "labels")), message),
  ];
}

/** What is wrong with the template of a workload whose pods run for ever. */
export function servingTemplateErrors(template: Fields, kind: string): FieldError[] {
  return [...podTemplateErrors(template, "spec.template"), ...servingPodErrors(template, kind)];
}

/** Pods of such a workload are restarted always and never time out. */
export function servingPodErrors(template: Fields, kind: string): FieldError[] {
  const errors: FieldError[] = [];
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {};
  if (restartPolicy !== "Always") {
    errors.push(notSupported("spec.template.spec.restartPolicy", namedText(restartPolicy ?? ""), ["Always"]));
  }
  if (activeDeadlineSeconds != null) {
    const message = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbidden("spec.template.spec.activeDeadlineSeconds", message));
  }
  return errors;
}

/** Whether a selector asks for nothing, and hence selects everything. */
export function isEmpty(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}
