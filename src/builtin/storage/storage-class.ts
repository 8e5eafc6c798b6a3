import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { required } from "#base/field-error.ts";
import { immutable, isMissing, oneOf, textErrors } from "../value-rules.ts";

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
    ...(isMissing(object.provisioner)
      ? [required("provisioner")]
      : textErrors("provisioner", String(object.provisioner).toLowerCase(), qualifiedNameErrors)),
    ...oneOf("reclaimPolicy", object.reclaimPolicy, ["Delete", "Retain"]),
    ...oneOf("volumeBindingMode", object.volumeBindingMode, ["Immediate", "WaitForFirstConsumer"]),
  ],
  validateUpdate: (object: Fields, old: Fields) =>
    fixed.flatMap((field) => immutable(field, object[field], old[field])),
};
