import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import type { FieldError } from "#base/field-error.ts";
import { defaultPodTemplate } from "../core/pod-defaults.ts";
import { nonNegativeMembers } from "../value-rules.ts";
import { workloadWarnings } from "../warnings/template-warnings.ts";
import { replicaStatusErrors } from "./replica-status-rules.ts";
import {
  brokenSelectorError,
  isBroken,
  isEmpty,
  keptSelectorErrors,
  mismatchErrors,
  requiredSelectorErrors,
  servingTemplateErrors,
} from "./selected-template.ts";

/** ReplicaSets. */
export const replicaSetStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  warnings: workloadWarnings,
  prefixJudgedOnce: true,
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
  validateUpdate: keptSelectorErrors,
  validateStatus: (object: Fields) =>
    replicaStatusErrors(object, {
      counters: [
        ...["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"],
        "terminatingReplicas",
      ],
      parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
    }),
};

/** What is wrong with the template of a ReplicaSet or Deployment. */
export function replicatedTemplateErrors(spec: Fields): FieldError[] {
  if (isBroken(spec.selector)) return [brokenSelectorError(spec.selector, "invalid label selector")];
  const selects = spec.selector == null || !isEmpty(spec.selector);
  return [
    ...(selects ? mismatchErrors(spec.selector, spec.template) : []),
    ...servingTemplateErrors(spec.template ?? {}, "ReplicaSet"),
  ];
}
