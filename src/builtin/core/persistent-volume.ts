import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { goValue, withDifference } from "../go-findings.ts";
import { immutableName, sameValue } from "../value-rules.ts";
import { nodeExpressionWarnings } from "../warnings/node-label-warnings.ts";
import { persistentSourceWarnings } from "../warnings/volume-warnings.ts";
import { canonicalResourceList } from "./canonical-quantities.ts";
import { persistentSources, volumeSpecErrors } from "./persistent-volume-rules.ts";
import { defaultDiskSources } from "./volume-defaults.ts";

/** PersistentVolumes. */
export const persistentVolumeStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  warnings: volumeWarnings,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.status ??= {};
    draft.status.phase ||= "Pending";
    defaultVolumeSpec(draft.spec);
  },
  prepareForCreate: (draft) => {
    draft.status = { phase: "Pending", lastPhaseTransitionTime: draft.metadata.creationTimestamp };
  },
  validate: ({ spec, metadata }: Fields) => volumeSpecErrors(spec, "spec", metadata.name ?? ""),
  validateUpdate: updateErrors,
};

const oldAnnotations: Readonly<Record<string, string>> = {
  "volume.beta.kubernetes.io/storage-class": 'deprecated since v1.8; use "storageClassName" attribute instead',
  "volume.beta.kubernetes.io/mount-options": 'deprecated since v1.31; use "mountOptions" attribute instead',
};

function volumeWarnings({ metadata, spec }: Fields): string[] {
  const recycled =
    "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";
  return [
    ...Object.entries(oldAnnotations)
      .filter(([key]) => metadata.annotations?.[key] !== undefined)
      .map(([key, message]) => `metadata.annotations[${key}]: ${message}`),
    ...(spec.persistentVolumeReclaimPolicy === "Recycle" ? [`spec.persistentVolumeReclaimPolicy: ${recycled}`] : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions }: Fields, index: number) =>
      nodeExpressionWarnings(
        matchExpressions,
        `spec.nodeAffinity.required.nodeSelectorTerms[${index}].matchExpressions`,
      ),
    ),
    ...persistentSourceWarnings(spec, "spec"),
  ];
}

function defaultVolumeSpec(spec: Fields): void {
  spec.persistentVolumeReclaimPolicy ||= "Retain";
  spec.volumeMode ??= "Filesystem";
  if (spec.hostPath != null) spec.hostPath.type ??= "";
  defaultDiskSources(spec);
  canonicalResourceList(spec.capacity);
}

function updateErrors({ spec }: Fields, old: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const next = withoutNewExpansion(spec, old.spec);
  if (!sameValue(sourceOf(next), sourceOf(old.spec))) {
    const message = "spec.persistentvolumesource is immutable after creation";
    const error = forbidden("spec.persistentvolumesource", message);
    errors.push(withDifference(error, { type: "core.PersistentVolumeSource", old: old.spec, next }));
  }
  errors.push(...immutableName("volumeMode", spec.volumeMode, old.spec.volumeMode));
  if (old.spec.nodeAffinity != null && !sameAffinity(spec.nodeAffinity, old.spec.nodeAffinity)) {
    const message = "field is immutable, except for updating from beta label to GA";
    errors.push(invalid("nodeAffinity", goValue("core.VolumeNodeAffinity", spec.nodeAffinity), message));
  }
  if (old.spec.volumeAttributesClassName != null && spec.volumeAttributesClassName == null) {
    errors.push(forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"));
  }
  return errors;
}

/** A secret that volumes are expanded with may be given later. */
function withoutNewExpansion(spec: Fields, old: Fields): Fields {
  if (old.csi == null || old.csi.controllerExpandSecretRef != null) return spec;
  if (spec.csi?.controllerExpandSecretRef == null) return spec;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...spec, csi };
}

function sourceOf(spec: Fields): Fields {
  return Object.fromEntries(
    persistentSources.filter((source) => spec[source] != null).map((source) => [source, spec[source]]),
  );
}

const stableLabels: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};

/** Whether two affinities say the same, but for labels that got other names. */
function sameAffinity(now: Fields | undefined, before: Fields): boolean {
  if (sameValue(now, before)) return true;
  const terms: readonly Fields[] = now?.required?.nodeSelectorTerms ?? [];
  const renamed = (before.required?.nodeSelectorTerms ?? []).map((term: Fields, index: number) =>
    withStableKeys(term, terms[index] ?? {}),
  );
  return sameValue(now, { ...before, required: { ...before.required, nodeSelectorTerms: renamed } });
}

function withStableKeys(before: Fields, now: Fields): Fields {
  const lists = ["matchExpressions", "matchFields"].filter((list) => before[list] != null);
  const renamed = lists.map((list) => [
    list,
    before[list].map((expression: Fields, index: number) => {
      const key = now[list]?.[index]?.key;
      return key !== undefined && stableLabels[expression.key] === key ? { ...expression, key } : expression;
    }),
  ]);
  return { ...before, ...Object.fromEntries(renamed) };
}
