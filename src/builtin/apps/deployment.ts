import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "#base/field-error.ts";
import { defaultPodTemplate } from "../core/pod-defaults.ts";
import { goValue } from "../go-findings.ts";
import { atMostWhole, countOf, countOrPercent, nonNegativeMembers } from "../value-rules.ts";
import { workloadWarnings } from "../warnings/template-warnings.ts";
import { replicatedTemplateErrors } from "./replica-set.ts";
import { collisionErrors, replicaStatusErrors } from "./replica-status-rules.ts";
import { keptSelectorErrors, requiredSelectorErrors } from "./selected-template.ts";

/** Deployments. */
export const deploymentStrategy: Strategy = {
  generation: "spec",
  generationCountsAnnotations: true,
  unconditionalUpdate: true,
  warnings: workloadWarnings,
  prefixJudgedOnce: true,
  settles: true,
  applyDefaults: defaultDeployment,
  prepareForCreate: (draft) => {
    draft.status = {};
  },
  validate: ({ spec }: Fields) => [
    ...nonNegativeMembers("spec", spec, ["replicas"]),
    ...requiredSelectorErrors(spec.selector, "deployment"),
    ...replicatedTemplateErrors(spec),
    ...rolloutErrors(spec.strategy ?? {}, "spec.strategy"),
    ...nonNegativeMembers("spec", spec, ["minReadySeconds", "revisionHistoryLimit"]),
    ...deadlineErrors(spec),
  ],
  validateUpdate: keptSelectorErrors,
  validateStatus: (object: Fields, old: Fields) => [
    ...replicaStatusErrors(object, {
      counters: [
        ...["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"],
        ...["unavailableReplicas", "terminatingReplicas", "collisionCount"],
      ],
      parts: ["updatedReplicas", "readyReplicas", "availableReplicas"],
    }),
    ...collisionErrors(object, old),
  ],
};

function defaultDeployment(draft: Draft): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ||= "RollingUpdate";
  if (spec.strategy.type === "RollingUpdate") {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= "25%";
    spec.strategy.rollingUpdate.maxSurge ??= "25%";
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  spec.template ??= {};
  defaultPodTemplate(spec.template);
}

function rolloutErrors(strategy: Fields, path: string): FieldError[] {
  if (strategy.type === "Recreate") {
    if (strategy.rollingUpdate == null) return [];
    return [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (strategy.type !== "RollingUpdate")
    return [notSupported(path, goValue("apps.DeploymentStrategy", strategy), ["Recreate", "RollingUpdate"])];
  if (strategy.rollingUpdate == null) {
    return [required(`${path}.rollingUpdate`, "this should be defaulted and never be nil")];
  }
  const { maxUnavailable, maxSurge } = strategy.rollingUpdate;
  const at = `${path}.rollingUpdate.maxUnavailable`;
  const errors = [...countOrPercent(at, maxUnavailable), ...countOrPercent(`${path}.rollingUpdate.maxSurge`, maxSurge)];
  if (countOf(maxUnavailable) === 0 && countOf(maxSurge) === 0) {
    errors.push(invalid(at, maxUnavailable, "may not be 0 when `maxSurge` is 0"));
  }
  return [...errors, ...atMostWhole(at, maxUnavailable)];
}

function deadlineErrors(spec: Fields): FieldError[] {
  const path = "spec.progressDeadlineSeconds";
  const errors = nonNegativeMembers("spec", spec, ["progressDeadlineSeconds"]);
  if (spec.progressDeadlineSeconds <= (spec.minReadySeconds ?? 0)) {
    errors.push(invalid(path, spec.progressDeadlineSeconds, "must be greater than minReadySeconds"));
  }
  return errors;
}
