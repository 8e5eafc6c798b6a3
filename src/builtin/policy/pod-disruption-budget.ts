import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { withSortedMembers } from "#base/sorted-json.ts";
import { conditionErrors } from "../condition-rules.ts";
import { atMostWhole, countOrPercent, nonNegativeMembers, oneOfGiven } from "../value-rules.ts";

/** PodDisruptionBudgets. */
export const podDisruptionBudgetStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: false,
  leavesMetadata: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
  },
  prepareForCreate: (draft) => {
    draft.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  validate: ({ spec }: Fields) => [
    ...(spec.minAvailable != null && spec.maxUnavailable != null
      ? [invalid("spec", inGoNames(spec), "minAvailable and maxUnavailable cannot be both set")]
      : []),
    ...amountErrors("spec.minAvailable", spec.minAvailable),
    ...amountErrors("spec.maxUnavailable", spec.maxUnavailable),
    ...labelSelectorErrors(spec.selector, "spec.selector"),
    ...oneOfGiven("spec.unhealthyPodEvictionPolicy", spec.unhealthyPodEvictionPolicy, [
      "AlwaysAllow",
      "IfHealthyBudget",
    ]),
  ],
  validateStatus: ({ status }: Fields) => [
    ...conditionErrors("status.conditions", status?.conditions),
    ...nonNegativeMembers("status", status ?? {}, [
      ...["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"],
    ]),
  ],
};

/** As messages show it. */
function inGoNames({ minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy }: Fields): unknown {
  const [MinAvailable, MaxUnavailable] = [minAvailable, maxUnavailable];
  return {
    MinAvailable,
    Selector: selector == null ? null : inGoOrder(selector),
    MaxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
}

function inGoOrder({ matchLabels, matchExpressions }: Fields): Fields {
  return {
    ...(matchLabels == null ? {} : { matchLabels: withSortedMembers(matchLabels) }),
    ...(matchExpressions == null ? {} : { matchExpressions }),
  };
}

function amountErrors(path: string, value: unknown): FieldError[] {
  return [...countOrPercent(path, value), ...atMostWhole(path, value)];
}
