import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { canonicalMicroTimes } from "../micro-time.ts";
import { nonNegative } from "../value-rules.ts";

/** Leases. */
export const leaseStrategy: Strategy = {
  generation: "none",
  prefixJudgedOnce: true,
  unconditionalUpdate: false,
  createOnUpdate: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    canonicalMicroTimes(draft.spec, "acquireTime", "renewTime");
  },
  prepareForCreate: forgetCoordination,
  prepareForUpdate: forgetCoordination,
  validate: ({ spec = {} }: Fields): FieldError[] => [
    ...(spec.leaseDurationSeconds != null && spec.leaseDurationSeconds <= 0
      ? [invalid("spec.leaseDurationSeconds", spec.leaseDurationSeconds, "must be greater than 0")]
      : []),
    ...nonNegative("spec.leaseTransitions", spec.leaseTransitions),
  ],
};

/** Fields of a feature that is off in Kubernetes. */
function forgetCoordination(draft: Draft): void {
  delete draft.spec.strategy;
  delete draft.spec.preferredHolder;
}
