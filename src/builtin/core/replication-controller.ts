import { labelRequirementsOf, matchesLabels } from "#api/meta/label-selector.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { replicaStatusErrors } from "../apps/replica-status-rules.ts";
import { servingTemplateErrors } from "../apps/selected-template.ts";
import { goValue } from "../go-findings.ts";
import { asSent } from "../sent-empty.ts";
import { nonNegativeMembers } from "../value-rules.ts";
import { podWarnings } from "../warnings/pod-warnings.ts";
import { isNewSpec, workloadWarnings } from "../warnings/template-warnings.ts";
import { defaultPodTemplate } from "./pod-defaults.ts";

/** ReplicationControllers, the older form of ReplicaSets: their selector is a plain map. */
export const replicationControllerStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  // upstream looks at the old template in updates
  warnings: (object: Fields, old: Fields | undefined) =>
    old === undefined
      ? workloadWarnings(object, old)
      : isNewSpec(object, old)
        ? podWarnings(old["spec"].template ?? {}, "spec.template")
        : [],
  prefixJudgedOnce: true,
  nameRule: "long-name",
  defaultPropagation: "Orphan",
  fieldSelectors: { "status.replicas": ({ status }: Fields) => String(status?.replicas ?? 0) },
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.spec.replicas ??= 1;
    defaultPodTemplate(draft.spec.template);
    const labels = draft.spec.template?.metadata?.labels;
    if (labels == null) return;
    if (Object.keys(draft.spec.selector ?? {}).length === 0) draft.spec.selector = { ...labels };
    if (Object.keys(draft.metadata.labels ?? {}).length === 0) draft.metadata.labels = { ...labels };
  },
  prepareForCreate: (draft) => {
    draft.status = { replicas: 0 };
  },
  validate: ({ spec }: Fields) => [
    ...nonNegativeMembers("spec", spec, ["minReadySeconds"]),
    ...(Object.keys(spec.selector ?? {}).length === 0 ? [required("spec.selector")] : []),
    ...nonNegativeMembers("spec", spec, ["replicas"]),
    ...templateErrors(spec),
  ],
  validateStatus: (object: Fields) =>
    replicaStatusErrors(object, {
      counters: ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"],
      parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
    }),
};

function templateErrors(spec: Fields): FieldError[] {
  if (spec.template == null) return [required("spec.template")];
  const labels = spec.template.metadata?.labels;
  const selected = matchesLabels(labelRequirementsOf({ matchLabels: spec.selector ?? {} }), labels);
  const sent = asSent(spec.template.metadata, "labels");
  const mismatch = "`selector` does not match template `labels`";
  return [
    ...(selected ? [] : [invalid("spec.template.metadata.labels", goValue("map string", sent), mismatch)]),
    ...servingTemplateErrors(spec.template, "ReplicationController"),
  ];
}
