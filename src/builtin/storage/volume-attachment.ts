import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, invalid, required, tooLong } from "#base/field-error.ts";
import { canonicalResourceList } from "../core/canonical-quantities.ts";
import { driverNameErrors } from "../core/csi-source-rules.ts";
import { inlineVolumeSpecErrors } from "../core/persistent-volume-rules.ts";
import { defaultDiskSources } from "../core/volume-defaults.ts";
import { givenText, immutableIn, textErrors } from "../value-rules.ts";
import { bytesOf, maxParameterBytes } from "./class-rules.ts";

/** VolumeAttachments. */
export const volumeAttachmentStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  applyDefaults: (draft: Draft) => {
    const inline = draft.spec?.source?.inlineVolumeSpec;
    if (inline == null) return;
    if (inline.hostPath != null) inline.hostPath.type ??= "";
    defaultDiskSources(inline);
    canonicalResourceList(inline.capacity);
  },
  prepareForCreate: (draft) => {
    draft.status = { attached: false };
  },
  validate: ({ spec }: Fields) => [
    ...driverNameErrors("spec.attacher", spec?.attacher ?? ""),
    ...sourceErrors(spec?.source ?? {}, "spec.source"),
    ...textErrors("spec.nodeName", spec?.nodeName ?? "", dnsSubdomainErrors),
    ...givenText("spec.source.persistentVolumeName", spec?.source?.persistentVolumeName, dnsSubdomainErrors),
  ],
  validateUpdate: (object: Fields, old: Fields) =>
    immutableIn("storage.VolumeAttachmentSpec", "spec", { value: object.spec, old: old.spec }),
  validateStatus: ({ status }: Fields) => [
    ...(bytesOf(status?.attachmentMetadata ?? {}) > maxParameterBytes
      ? [tooLong("status.attachmentMetadata", maxParameterBytes)]
      : []),
    ...["attachError", "detachError"].flatMap((field) => failureErrors(status?.[field] ?? {}, `status.${field}`)),
  ],
};

function sourceErrors({ inlineVolumeSpec, persistentVolumeName }: Fields, path: string): FieldError[] {
  const message = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inlineVolumeSpec == null && persistentVolumeName == null) return [required(path, message)];
  if (inlineVolumeSpec != null && persistentVolumeName != null) return [forbidden(path, message)];
  if (inlineVolumeSpec != null) return inlineVolumeSpecErrors(inlineVolumeSpec, `${path}.inlineVolumeSpec`);
  if (persistentVolumeName !== "") return [];
  return [required(`${path}.persistentVolumeName`, "must specify non empty persistentVolumeName")];
}

const maxMessageBytes = 1024;

/** Upstream tells the limit of something else. */
function failureErrors({ message = "", errorCode = 0 }: Fields, path: string): FieldError[] {
  const errors = byteLength(message) > maxMessageBytes ? [tooLong(`${path}.message`, maxParameterBytes)] : [];
  if (errorCode >= 0) return errors;
  return [...errors, invalid(`${path}.errorCode`, errorCode, "must be between 0 and 2147483647, inclusive")];
}
