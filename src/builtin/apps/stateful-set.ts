import { dnsLabelErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid, namedText } from "#base/field-error.ts";
import { canonicalRequirements } from "../core/canonical-quantities.ts";
import { claimSpecErrors } from "../core/persistent-volume-claim.ts";
import { defaultPodTemplate } from "../core/pod-defaults.ts";
import { podTemplateErrors } from "../core/pod-spec-rules.ts";
import { goValue } from "../go-findings.ts";
import { nonNegative, nonNegativeMembers, oneOf, optionalText, sameValue } from "../value-rules.ts";
import { claimWarnings } from "../warnings/amount-warnings.ts";
import { templateWarnings } from "../warnings/template-warnings.ts";
import { collisionErrors, replicaStatusErrors } from "./replica-status-rules.ts";
import {
  brokenSelectorError,
  isBroken,
  isEmpty,
  mismatchErrors,
  requiredSelectorErrors,
  servingPodErrors,
} from "./selected-template.ts";

/** StatefulSets. */
export const statefulSetStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  warnings: setWarnings,
  nameRule: "dns-label",
  prefixJudgedOnce: true,
  settles: true,
  applyDefaults: defaultStatefulSet,
  prepareForCreate: (draft) => {
    draft.status = { replicas: 0, availableReplicas: 0 };
  },
  validate: ({ spec }: Fields) => [
    ...policyErrors(spec),
    ...nonNegativeMembers("spec", spec, ["replicas", "minReadySeconds"]),
    ...nonNegative("spec.ordinals.start", spec.ordinals?.start),
    ...requiredSelectorErrors(spec.selector, "statefulset"),
    ...templateErrors(spec),
  ],
  validateNew: ({ spec }: Fields) => [
    ...claimErrors(spec.volumeClaimTemplates ?? []),
    ...optionalText("spec.serviceName", spec.serviceName, dnsLabelErrors),
  ],
  validateUpdate: updateErrors,
  validateStatus: (object: Fields, old: Fields) => [
    ...replicaStatusErrors(object, {
      counters: [
        ...["replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
        ...["observedGeneration", "collisionCount"],
      ],
      parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
      ready: "status.readyReplicas",
    }),
    ...collisionErrors(object, old),
  ],
};

function setWarnings(object: Fields, old: Fields | undefined): string[] {
  const { spec } = object;
  const negative = "a negative value retains all historical revisions; a value >= 0 is recommended";
  const within = old === undefined ? "" : ".Spec"; // upstream names it so in updates
  return [
    ...templateWarnings(object, old),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim: Fields, index: number) =>
      claimWarnings(claim.spec, `spec.volumeClaimTemplates[${index}]${within}`),
    ),
    ...(spec.revisionHistoryLimit < 0 ? [`spec.revisionHistoryLimit: ${negative}`] : []),
  ];
}

function defaultStatefulSet(draft: Draft): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.podManagementPolicy ||= "OrderedReady";
  spec.updateStrategy ??= {};
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = "RollingUpdate";
    spec.updateStrategy.rollingUpdate ??= {};
  }
  if (spec.updateStrategy.rollingUpdate != null) delete spec.updateStrategy.rollingUpdate.maxUnavailable; // of a feature that is off in Kubernetes
  if (spec.updateStrategy.type === "RollingUpdate" && spec.updateStrategy.rollingUpdate != null) {
    spec.updateStrategy.rollingUpdate.partition ??= 0;
  }
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= "Retain";
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.template ??= {};
  defaultPodTemplate(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    // upstream keeps templates as whole objects, with their kind and an initial phase
    claim.apiVersion ??= "v1";
    claim.kind ??= "PersistentVolumeClaim";
    claim.spec ??= {};
    claim.spec.volumeMode ??= "Filesystem";
    claim.status ??= {};
    claim.status.phase ||= "Pending";
    canonicalRequirements(claim.spec.resources);
  }
}

function policyErrors(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (!["OrderedReady", "Parallel"].includes(spec.podManagementPolicy)) {
    errors.push(
      invalid("spec.podManagementPolicy", namedText(spec.podManagementPolicy), "must be 'OrderedReady' or 'Parallel'"),
    );
  }
  if (type === "OnDelete") {
    if (rollingUpdate != null) {
      const path = "spec.updateStrategy.rollingUpdate";
      errors.push(
        invalid(
          path,
          goValue("apps.RollingUpdateStatefulSetStrategy", rollingUpdate),
          "only allowed for updateStrategy 'RollingUpdate'",
        ),
      );
    }
  } else if (type === "RollingUpdate")
    errors.push(...nonNegative("spec.updateStrategy.rollingUpdate.partition", rollingUpdate?.partition));
  else
    errors.push(
      invalid(
        "spec.updateStrategy",
        goValue("apps.StatefulSetUpdateStrategy", spec.updateStrategy),
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    );
  for (const when of ["whenDeleted", "whenScaled"]) {
    const path = `spec.persistentVolumeClaimRetentionPolicy.${when}`;
    errors.push(...oneOf(path, spec.persistentVolumeClaimRetentionPolicy?.[when], ["Retain", "Delete"]));
  }
  return errors;
}

function claimErrors(claims: readonly Fields[]): FieldError[] {
  return claims.flatMap((claim, index) =>
    claimSpecErrors(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
  );
}

function templateErrors(spec: Fields): FieldError[] {
  const template: Fields = spec.template ?? {};
  const serving = servingPodErrors(template, "StatefulSet");
  if (isBroken(spec.selector)) return [brokenSelectorError(spec.selector, ""), ...serving];
  const selects = spec.selector == null || !isEmpty(spec.selector);
  return [
    ...(selects ? mismatchErrors(spec.selector, template) : []),
    ...podTemplateErrors(asRun(template, spec.volumeClaimTemplates ?? []), "spec.template"),
    ...serving,
  ];
}

/** As the controller makes pods of it: it chooses the hostname, and brings volumes for the claims. */
function asRun(template: Fields, claims: readonly Fields[]): Fields {
  const names = new Set<string>(claims.map((claim) => claim.metadata?.name ?? ""));
  const brought = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = (template.spec?.volumes ?? []).filter(({ name }: Fields) => !names.has(name ?? ""));
  return {
    ...template,
    spec: { ...template.spec, hostname: undefined, subdomain: undefined, volumes: [...brought, ...own] },
  };
}

const updatable = [
  ...["replicas", "template", "updateStrategy", "minReadySeconds", "ordinals", "revisionHistoryLimit"],
  "persistentVolumeClaimRetentionPolicy",
];

function updateErrors({ spec }: Fields, old: Fields): FieldError[] {
  const kept = { ...spec };
  for (const field of updatable) kept[field] = old.spec[field];
  if (sameValue(kept, old.spec)) return [];
  const message =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden("spec", message)];
}
