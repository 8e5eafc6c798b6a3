import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import { dnsLabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { compareQuantities, parseQuantity } from "#base/quantity.ts";
import { withDifference } from "../go-findings.ts";
import { amountErrors, positiveAmount } from "../resource-amounts.ts";
import { rememberingAs } from "../sent-empty.ts";
import { immutableName, isMissing, oneOfGiven, optionalText, requiredText, sameValue } from "../value-rules.ts";
import { claimWarnings } from "../warnings/amount-warnings.ts";
import { canonicalRequirements, canonicalResourceList } from "./canonical-quantities.ts";
import { claimStatusErrors } from "./claim-status-rules.ts";

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** PersistentVolumeClaims. */
export const persistentVolumeClaimStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  warnings: ({ metadata, spec }: Fields) => [
    ...(metadata.annotations?.[classAnnotation] === undefined
      ? []
      : [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]),
    ...claimWarnings(spec, "spec"),
  ],
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.spec.volumeMode ??= "Filesystem";
    draft.spec.resources ??= {};
    canonicalRequirements(draft.spec.resources);
    defaultStatus(draft);
  },
  prepareStatus: defaultStatus,
  prepareForCreate: (draft) => {
    draft.status = { phase: "Pending" };
    dropOtherSources(draft.spec);
    mirrorDataSource(draft.spec);
  },
  prepareForUpdate: (draft, old: Fields) => {
    if (old.spec.dataSourceRef == null) dropForeignSource(draft.spec);
    if (old.spec.dataSource == null && old.spec.dataSourceRef == null) dropOtherSources(draft.spec);
    mirrorDataSource(draft.spec);
  },
  validate: ({ spec }: Fields) => claimSpecErrors(spec, "spec", "sources' groups"),
  validateNew: ({ spec }: Fields) => sourceGroupErrors(spec, "spec"),
  validateUpdate: updateErrors,
  validateStatus: claimStatusErrors,
};

function defaultStatus(draft: Draft): void {
  draft.status ??= {};
  draft.status.phase ||= "Pending";
  canonicalResourceList(draft.status.capacity);
  canonicalResourceList(draft.status.allocatedResources);
}

/** What the old field never took is dropped without a word. */
function dropOtherSources(spec: Fields): void {
  dropForeignSource(spec);
  const { dataSource, dataSourceRef } = spec;
  if (dataSource == null || dataSourceRef != null) return;
  const { kind, apiGroup } = dataSource;
  const claim = kind === "PersistentVolumeClaim" && isMissing(apiGroup);
  if (!claim && !(kind === "VolumeSnapshot" && apiGroup === "snapshot.storage.k8s.io")) delete spec.dataSource;
}

/** Of a feature that is off in Kubernetes: sources in other namespaces. */
function dropForeignSource(spec: Fields): void {
  if (!isMissing(spec.dataSourceRef?.namespace)) delete spec.dataSourceRef;
}

/** The old and the new name of one thing are kept equal. */
function mirrorDataSource(spec: Fields): void {
  if (spec.dataSourceRef?.namespace) return;
  if (spec.dataSource != null && spec.dataSourceRef == null) spec.dataSourceRef = { ...spec.dataSource };
  else if (spec.dataSource == null && spec.dataSourceRef != null) spec.dataSource = { ...spec.dataSourceRef };
}

/** What is wrong with the spec of a claim, its own or that of a template. */
export function claimSpecErrors(spec: Fields, path: string, but?: "sources' groups"): FieldError[] {
  const modes: readonly string[] = spec.accessModes ?? [];
  const storage = spec.resources?.requests?.storage;
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, "at least 1 access mode is required")] : []),
    ...labelSelectorErrors(spec.selector, `${path}.selector`),
    ...accessModeErrors(modes, `${path}.accessModes`),
    ...storageErrors(`${path}.resources[storage]`, storage),
    ...optionalText(`${path}.storageClassName`, spec.storageClassName, dnsSubdomainErrors),
    ...oneOfGiven(`${path}.volumeMode`, spec.volumeMode, ["Block", "Filesystem"]),
    ...["dataSource", "dataSourceRef"].flatMap((field) =>
      spec[field] == null ? [] : dataSourceErrors(spec[field], `${path}.${field}`),
    ),
    ...(but === undefined ? sourceGroupErrors(spec, path) : []),
    ...sourceAgreementErrors(spec, path),
    ...optionalText(`${path}.volumeAttributesClassName`, spec.volumeAttributesClassName, dnsSubdomainErrors),
  ];
}

function dataSourceErrors(source: Fields, path: string): FieldError[] {
  const errors = [...requiredText(`${path}.name`, source.name), ...requiredText(`${path}.kind`, source.kind)];
  if (isMissing(source.apiGroup) && source.kind !== "PersistentVolumeClaim") {
    const message = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, source.kind ?? "", message));
  }
  return [...errors, ...optionalText(`${path}.namespace`, source.namespace, dnsLabelErrors)];
}

function sourceGroupErrors(spec: Fields, path: string): FieldError[] {
  return ["dataSource", "dataSourceRef"].flatMap((field) =>
    optionalText(`${path}.${field}.apiGroup`, spec[field]?.apiGroup, dnsSubdomainErrors),
  );
}

/** Upstream shows the inside of its path where the value should stand. */
function sourceAgreementErrors({ dataSource, dataSourceRef }: Fields, path: string): FieldError[] {
  if (dataSource == null || dataSourceRef == null) return [];
  if (!isMissing(dataSourceRef.namespace)) {
    return [invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified")];
  }
  const same =
    (dataSource.apiGroup ?? null) === (dataSourceRef.apiGroup ?? null) &&
    ["kind", "name"].every((field) => (dataSource[field] ?? "") === (dataSourceRef[field] ?? ""));
  return same ? [] : [invalid(path, {}, "must match dataSourceRef")];
}

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** What is wrong with the access modes of a claim or a volume. */
export function accessModeErrors(modes: readonly string[], path: string): FieldError[] {
  const errors = modes
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(path, namedText(mode ?? ""), accessModes));
  const others = modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  if (modes.includes("ReadWriteOncePod") && others) {
    errors.push(forbidden(path, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

function storageErrors(path: string, storage: unknown): FieldError[] {
  if (storage == null) return [required(path)];
  const errors = positiveAmount(path, storage);
  return errors.length > 0 ? errors : amountErrors(path, "storage", storage);
}

function updateErrors({ spec, status }: Fields, old: Fields): FieldError[] {
  const kept: Fields = rememberingAs(spec, { ...spec });
  const before = old.spec.volumeName ? old.spec : { ...old.spec, volumeName: spec.volumeName };
  if (old.spec.storageClassName == null) kept.storageClassName = old.spec.storageClassName;
  if (status?.phase === "Bound") {
    kept.resources = old.spec.resources;
    kept.volumeAttributesClassName = old.spec.volumeAttributesClassName;
  }
  const errors: FieldError[] = [];
  if (!sameValue(kept, before)) {
    const message =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    const difference = { type: "core.PersistentVolumeClaimSpec", old: before, next: kept };
    errors.push(withDifference(forbidden("spec", message), difference));
  }
  const grouped = old.spec.dataSource?.apiGroup != null || old.spec.dataSourceRef?.apiGroup != null;
  if (!grouped) errors.push(...sourceGroupErrors(spec, "spec"));
  return [...errors, ...shrinkErrors(spec, old), ...immutableName("volumeMode", spec.volumeMode, old.spec.volumeMode)];
}

function shrinkErrors(spec: Fields, old: Fields): FieldError[] {
  const [now, before, actual] = [
    spec.resources?.requests?.storage ?? "0",
    old.spec.resources?.requests?.storage ?? "0",
    old.status?.capacity?.storage ?? "0",
  ].map((text) => parseQuantity(String(text)));
  if (now === undefined || before === undefined || actual === undefined) return [];
  if (compareQuantities(now, before) >= 0 || compareQuantities(now, actual) > 0) return [];
  return [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")];
}
