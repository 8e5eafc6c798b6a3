import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, required } from "#base/field-error.ts";
import { compareQuantities, parseQuantity } from "#base/quantity.ts";
import { withDifference } from "../go-findings.ts";
import { amountErrors, positiveAmount } from "../resource-amounts.ts";
import { immutable, oneOf, optionalText, sameValue } from "../value-rules.ts";
import { canonicalRequirements, canonicalResourceList } from "./canonical-quantities.ts";

/** PersistentVolumeClaims. */
export const persistentVolumeClaimStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.spec.volumeMode ??= "Filesystem";
    draft.spec.resources ??= {};
    draft.status ??= {};
    draft.status.phase ||= "Pending";
    canonicalRequirements(draft.spec.resources);
    canonicalResourceList(draft.status.capacity);
    canonicalResourceList(draft.status.allocatedResources);
  },
  prepareForCreate: (draft) => {
    draft.status = { phase: "Pending" };
    mirrorDataSource(draft.spec);
  },
  prepareForUpdate: (draft) => mirrorDataSource(draft.spec),
  validate: ({ spec }: Fields) => claimSpecErrors(spec, "spec"),
  validateUpdate: updateErrors,
};

/** The old and the new name of one thing are kept equal. */
function mirrorDataSource(spec: Fields): void {
  if (spec.dataSourceRef?.namespace) return;
  if (spec.dataSource != null && spec.dataSourceRef == null) spec.dataSourceRef = { ...spec.dataSource };
  else if (spec.dataSource == null && spec.dataSourceRef != null) spec.dataSource = { ...spec.dataSourceRef };
}

/** What is wrong with the spec of a claim, its own or that of a template. */
export function claimSpecErrors(spec: Fields, path: string): FieldError[] {
  const modes: readonly string[] = spec.accessModes ?? [];
  const storage = spec.resources?.requests?.storage;
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, "at least 1 access mode is required")] : []),
    ...labelSelectorErrors(spec.selector, `${path}.selector`),
    ...accessModeErrors(modes, `${path}.accessModes`),
    ...storageErrors(`${path}.resources[storage]`, storage),
    ...optionalText(`${path}.storageClassName`, spec.storageClassName, dnsSubdomainErrors),
    ...oneOf(`${path}.volumeMode`, spec.volumeMode, ["Block", "Filesystem"]),
    ...["dataSource", "dataSourceRef"].flatMap((field) =>
      spec[field] == null ? [] : optionalText(`${path}.${field}.apiGroup`, spec[field].apiGroup, dnsSubdomainErrors),
    ),
  ];
}

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** What is wrong with the access modes of a claim or a volume. */
export function accessModeErrors(modes: readonly string[], path: string): FieldError[] {
  const errors = modes.flatMap((mode) => oneOf(path, mode, accessModes));
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
  const kept: Fields = { ...spec };
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
  return [...errors, ...shrinkErrors(spec, old), ...immutable("volumeMode", spec.volumeMode, old.spec.volumeMode)];
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
