import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { immutable, immutableName, oneOf, oneOfGiven } from "../value-rules.ts";
import { nodeLabelProblem } from "../warnings/node-label-warnings.ts";
import { parameterErrors, provisionerErrors, topologyErrors } from "./class-rules.ts";

const fixed = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"];

/** StorageClasses. */
export const storageClassStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  warnings: ({ allowedTopologies }: Fields) =>
    (allowedTopologies ?? []).flatMap(({ matchLabelExpressions }: Fields, index: number) =>
      (matchLabelExpressions ?? []).flatMap(({ key }: Fields, place: number) => {
        const problem = nodeLabelProblem(key);
        const path = `allowedTopologies[${index}].matchLabelExpressions[${place}].key`;
        return problem === undefined ? [] : [`${path}: ${problem}`];
      }),
    ),
  applyDefaults: (draft: Draft) => {
    draft.reclaimPolicy ??= "Delete";
    draft.volumeBindingMode ??= "Immediate";
  },
  validate: (object: Fields) => [
    ...provisionerErrors("provisioner", object.provisioner),
    ...parameterErrors("parameters", object.parameters),
    ...oneOf("reclaimPolicy", object.reclaimPolicy, ["Delete", "Retain"]),
    ...oneOfGiven("volumeBindingMode", object.volumeBindingMode, ["Immediate", "WaitForFirstConsumer"]),
    ...topologyErrors(object.allowedTopologies ?? [], "allowedTopologies"),
  ],
  validateUpdate: (object: Fields, old: Fields) =>
    fixed.flatMap((field) =>
      field === "provisioner"
        ? immutable(field, object[field], old[field])
        : immutableName(field, object[field], old[field]),
    ),
};
