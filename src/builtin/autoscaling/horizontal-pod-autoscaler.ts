import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { canonicalMembers } from "../core/canonical-quantities.ts";
import { asSent } from "../sent-empty.ts";
import { nonNegativeMembers } from "../value-rules.ts";
import { autoscalerErrors } from "./autoscaler-rules.ts";

/** HorizontalPodAutoscalers. */
export const horizontalPodAutoscalerStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  prefixJudgedOnce: true,
  applyDefaults: defaultAutoscaler,
  prepareForCreate: (draft) => {
    // Go prints the list that is not there as null
    draft.status = { desiredReplicas: 0, currentMetrics: null };
  },
  validate: autoscalerErrors,
  validateStatus: ({ status }: Fields) =>
    nonNegativeMembers("status", status ?? {}, ["currentReplicas", "desiredReplicas"]),
};

function defaultAutoscaler(draft: Draft): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    const target = { type: "Utilization", averageUtilization: 80 };
    spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  }
  if (spec.behavior != null) {
    spec.behavior.scaleUp = withDefaults(spec.behavior.scaleUp, {
      stabilizationWindowSeconds: 0,
      policies: [
        { type: "Pods", value: 4, periodSeconds: 15 },
        { type: "Percent", value: 100, periodSeconds: 15 },
      ],
    });
    spec.behavior.scaleDown = withDefaults(spec.behavior.scaleDown, {
      policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
    });
  }
  for (const metric of [...spec.metrics, ...(draft.status?.currentMetrics ?? [])]) canonicalMetric(metric);
}

function withDefaults(rules: Fields | undefined, defaults: Fields): Fields {
  const complete: Fields = { ...rules };
  complete.stabilizationWindowSeconds ??= defaults.stabilizationWindowSeconds;
  if (complete.stabilizationWindowSeconds === undefined) delete complete.stabilizationWindowSeconds;
  complete.selectPolicy ??= "Max";
  if (asSent(rules, "policies") == null) complete.policies = defaults.policies;
  canonicalMembers(complete, "tolerance");
  return complete;
}

function canonicalMetric(metric: Fields): void {
  for (const source of ["object", "pods", "resource", "containerResource", "external"]) {
    for (const amounts of [metric[source]?.target, metric[source]?.current]) {
      canonicalMembers(amounts, "value", "averageValue");
    }
  }
}
