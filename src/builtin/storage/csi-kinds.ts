import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { forbidden, required } from "#base/field-error.ts";
import { canonicalMembers } from "../core/canonical-quantities.ts";
import { immutable, immutableIn, optionalText, requiredText, textErrors } from "../value-rules.ts";

/** CSIDrivers. */
export const csiDriverStrategy: Strategy = {
  // upstream starts to count only with the first change; nobody waits for it
  generation: "none",
  unconditionalUpdate: false,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    const { spec } = draft;
    spec.attachRequired ??= true;
    for (const flag of ["podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"]) spec[flag] ??= false;
    spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ["Persistent"];
  },
  validateUpdate: ({ spec }: Fields, old: Fields) => [
    ...immutable("spec.attachedRequired", spec.attachRequired, old.spec.attachRequired),
    ...immutable("spec.volumeLifecycleModes", spec.volumeLifecycleModes, old.spec.volumeLifecycleModes),
  ],
};

/** CSINodes. */
export const csiNodeStrategy: Strategy = { generation: "none", unconditionalUpdate: false };

/** CSIStorageCapacities. */
export const csiStorageCapacityStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  applyDefaults: (draft) => canonicalMembers(draft, "capacity", "maximumVolumeSize"),
  validate: (object: Fields) => requiredText("storageClassName", object.storageClassName),
  validateUpdate: (object: Fields, old: Fields) => [
    ...immutable("nodeTopology", object.nodeTopology, old.nodeTopology),
    ...immutable("storageClassName", object.storageClassName, old.storageClassName),
  ],
};

/** VolumeAttachments. */
export const volumeAttachmentStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  prepareForCreate: (draft) => {
    draft.status = { attached: false };
  },
  validate: ({ spec }: Fields) => {
    const { inlineVolumeSpec, persistentVolumeName } = spec?.source ?? {};
    const message = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    return [
      ...requiredText("spec.attacher", spec?.attacher),
      ...(inlineVolumeSpec == null && persistentVolumeName == null ? [required("spec.source", message)] : []),
      ...(inlineVolumeSpec != null && persistentVolumeName != null ? [forbidden("spec.source", message)] : []),
      ...optionalText("spec.source.persistentVolumeName", persistentVolumeName, dnsSubdomainErrors),
      ...textErrors("spec.nodeName", spec?.nodeName ?? "", dnsSubdomainErrors),
    ];
  },
  validateUpdate: (object: Fields, old: Fields) =>
    immutableIn("storage.VolumeAttachmentSpec", "spec", { value: object.spec, old: old.spec }),
};

/** VolumeAttributesClasses. */
export const volumeAttributesClassStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  validate: (object: Fields) => requiredText("driverName", object.driverName),
  validateUpdate: (object: Fields, old: Fields) => [
    ...immutable("driverName", object.driverName, old.driverName),
    ...immutable("parameters", object.parameters, old.parameters),
  ],
};
