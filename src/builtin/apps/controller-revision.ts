import type { Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { required } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { immutable, nonNegative } from "../value-rules.ts";

/** ControllerRevisions: what a DaemonSet or StatefulSet was; its content never changes. */
export const controllerRevisionStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  validate: (object: Fields) => [...nonNegative("revision", object.revision)],
  validateNew: (object: Fields) => [
    ...(object.data == null ? [required("data", "data is mandatory")] : []),
    ...(object.data != null && !isJsonObject(object.data)
      ? [required("data", "data must be a valid JSON object")]
      : []),
  ],
  validateUpdate: (object: Fields, old: Fields) => immutable("data", object.data, old.data),
};
