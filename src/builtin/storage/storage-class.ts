import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { immutable, oneOf, oneOfGiven } from "../value-rules.ts";
import { parameterErrors, provisionerErrors, topologyErrors } from "./class-rules.ts";

const fixed = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"];

/** StorageClasses. */
export const storageClassStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
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
    fixed.flatMap((field) => immutable(field, object[field], old[field])),
};
