import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import type { FieldError } from "#base/field-error.ts";
import { defaultPodTemplate } from "../core/pod-defaults.ts";
import { immutable, nonNegativeMembers } from "../value-rules.ts";
import { isEmpty, mismatchErrors, requiredSelectorErrors, servingTemplateErrors } from "./selected-template.ts";

/** ReplicaSets. */
export const replicaSetStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.spec.replicas ??= 1;
    draft.spec.template ??= {};
    defaultPodTemplate(draft.spec.template);
  },
  prepareForCreate: (draft) => {
    draft.status = { replicas: 0 };
  },
  validate: ({ spec }: Fields) => [
    ...nonNegativeMembers("spec", spec, ["replicas", "minReadySeconds"]),
    ...requiredSelectorErrors(spec.selector, "deployment"),
    ...replicatedTemplateErrors(spec),
  ],
  validateUpdate: ({ spec }: Fields, old: Fields) => immutable("spec.selector", spec.selector, old.spec.selector),
};

/** What is wrong with the template of a ReplicaSet or Deployment. */
export function replicatedTemplateErrors(spec: Fields): FieldError[] {
  const selects = spec.selector == null || !isEmpty(spec.selector);
  return [
    ...(selects ? mismatchErrors(spec.selector, spec.template, "say") : []),
    ...servingTemplateErrors(spec.template ?? {}, "ReplicaSet"),
  ];
}
