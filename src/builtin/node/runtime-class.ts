import { labelErrors } from "#api/meta/label-selector.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError } from "#base/field-error.ts";
import { canonicalResourceList } from "../core/canonical-quantities.ts";
import { tolerationErrors } from "../core/pod-spec-rules.ts";
import { goValue } from "../go-findings.ts";
import { requirementErrors } from "../resource-amounts.ts";
import { immutable, requiredLabel } from "../value-rules.ts";
import { nodeSelectorWarnings } from "../warnings/node-label-warnings.ts";

/** RuntimeClasses. */
export const runtimeClassStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  createOnUpdate: true,
  warnings: ({ scheduling }: Fields) => nodeSelectorWarnings(scheduling?.nodeSelector, () => "scheduling.nodeSelector"),
  applyDefaults: (draft: Draft) => canonicalResourceList(draft.overhead?.podFixed),
  validate: (object: Fields) => [
    ...requiredLabel("handler", object.handler),
    ...requirementErrors("overhead", { limits: object.overhead?.podFixed }),
    ...labelErrors(object.scheduling?.nodeSelector, "scheduling.nodeSelector"),
    ...tolerationErrors(object.scheduling?.tolerations ?? [], "scheduling.tolerations"),
    ...repeatedErrors(object.scheduling?.tolerations ?? [], "scheduling.tolerations"),
  ],
  validateUpdate: (object: Fields, old: Fields) => immutable("handler", object.handler, old.handler),
};

function repeatedErrors(tolerations: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, index) => {
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    const id = JSON.stringify([key, operator, value, effect]);
    const again = seen.has(id);
    seen.add(id);
    return again ? [duplicate(`${path}[${index}]`, goValue("core.Toleration", toleration))] : [];
  });
}
