import { labelErrors } from "#api/meta/label-selector.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { canonicalResourceList } from "../core/canonical-quantities.ts";
import { tolerationErrors } from "../core/pod-spec-rules.ts";
import { requirementErrors } from "../resource-amounts.ts";
import { immutable, requiredLabel } from "../value-rules.ts";

/** RuntimeClasses. */
export const runtimeClassStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  createOnUpdate: true,
  applyDefaults: (draft: Draft) => canonicalResourceList(draft.overhead?.podFixed),
  validate: (object: Fields) => [
    ...requiredLabel("handler", object.handler),
    ...requirementErrors("overhead", { limits: object.overhead?.podFixed }),
    ...labelErrors(object.scheduling?.nodeSelector, "scheduling.nodeSelector"),
    ...tolerationErrors(object.scheduling?.tolerations ?? [], "scheduling.tolerations"),
  ],
  validateUpdate: (object: Fields, old: Fields) => immutable("handler", object.handler, old.handler),
};
