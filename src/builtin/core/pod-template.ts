import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { sameValue } from "../value-rules.ts";
import { podWarnings } from "../warnings/pod-warnings.ts";
import { defaultPodTemplate } from "./pod-defaults.ts";
import { podTemplateErrors } from "./pod-spec-rules.ts";

/** PodTemplates. */
export const podTemplateStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  warnings: ({ template }: Fields, old: Fields | undefined) =>
    old !== undefined && sameValue(template, old["template"]) ? [] : podWarnings(template ?? {}, "template"),
  prefixJudgedOnce: true,
  applyDefaults: (draft: Draft) => {
    draft.template ??= {};
    defaultPodTemplate(draft.template);
  },
  validate: (object: Fields) => podTemplateErrors(object.template ?? {}, "template"),
};
