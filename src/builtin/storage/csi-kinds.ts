import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { byteLength } from "#base/byte-length.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
  tooLong,
} from "#base/field-error.ts";
import { canonicalMembers } from "../core/canonical-quantities.ts";
import { expirationErrors } from "../core/volume-rules.ts";
import { amountErrors } from "../resource-amounts.ts";
import { immutable, immutableIn, requiredText, textErrors } from "../value-rules.ts";

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
  validate: ({ spec }: Fields) => driverErrors(spec),
  validateUpdate: ({ spec }: Fields, old: Fields) => [
    ...immutable("spec.attachedRequired", spec.attachRequired, old.spec.attachRequired),
    ...immutable("spec.volumeLifecycleModes", spec.volumeLifecycleModes, old.spec.volumeLifecycleModes),
  ],
};

function driverErrors(spec: Fields): FieldError[] {
  const requests: readonly Fields[] = spec.tokenRequests ?? [];
  const modes: readonly string[] = spec.volumeLifecycleModes ?? [];
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  const inSecrets = spec.serviceAccountTokenInSecrets;
  return [
    ...choiceErrors("spec.fsGroupPolicy", spec.fsGroupPolicy, ["File", "None", "ReadWriteOnceWithFSType"]),
    ...tokenRequestErrors(requests),
    ...modes.flatMap((mode) => choiceErrors("spec.volumeLifecycleModes", mode ?? "", ["Persistent", "Ephemeral"])),
    ...(period != null && period < 10
      ? [invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds")]
      : []),
    ...(inSecrets != null && requests.length === 0
      ? [
          invalid(
            "spec.serviceAccountTokenInSecrets",
            inSecrets,
            "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
          ),
        ]
      : []),
  ];
}

/** Where an empty text is no choice either. */
function choiceErrors(path: string, value: string, allowed: readonly string[]): FieldError[] {
  return allowed.includes(value) ? [] : [notSupported(path, namedText(value), allowed)];
}

function tokenRequestErrors(requests: readonly Fields[]): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience = "", expirationSeconds }, index) => {
    const path = `spec.tokenRequests[${index}]`;
    if (audiences.has(audience)) return [duplicate(`${path}.audience`, audience)];
    audiences.add(audience);
    return expirationErrors(`${path}.expirationSeconds`, expirationSeconds ?? 3600);
  });
}

function driverNameErrors(path: string, name: string): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...(byteLength(name) > 63 ? [tooLong(path, 63)] : []),
    ...dnsSubdomainErrors(name.toLowerCase()).map((message) => invalid(path, name, message)),
  ];
}

/** CSINodes. */
export const csiNodeStrategy: Strategy = { generation: "none", unconditionalUpdate: false };

/** CSIStorageCapacities. */
export const csiStorageCapacityStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  applyDefaults: (draft) => canonicalMembers(draft, "capacity", "maximumVolumeSize"),
  validate: (object: Fields) => [
    ...labelSelectorErrors(object.nodeTopology, "nodeTopology"),
    ...textErrors("storageClassName", object.storageClassName ?? "", dnsSubdomainErrors),
    ...(object.capacity == null ? [] : amountErrors("capacity", "storage", object.capacity)),
  ],
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
      ...driverNameErrors("spec.attacher", spec?.attacher ?? ""),
      ...(inlineVolumeSpec == null && persistentVolumeName == null ? [required("spec.source", message)] : []),
      ...(inlineVolumeSpec != null && persistentVolumeName != null ? [forbidden("spec.source", message)] : []),
      ...(persistentVolumeName == null
        ? []
        : textErrors("spec.source.persistentVolumeName", persistentVolumeName, dnsSubdomainErrors)),
      ...textErrors("spec.nodeName", spec?.nodeName ?? "", dnsSubdomainErrors),
    ];
  },
  validateUpdate: (object: Fields, old: Fields) =>
    immutableIn("storage.VolumeAttachmentSpec", "spec", { value: object.spec, old: old.spec }),
  validateStatus: ({ status }: Fields) =>
    ["attachError", "detachError"].flatMap((field) => {
      const code = status?.[field]?.errorCode ?? 0;
      const path = `status.${field}.errorCode`;
      return code < 0 ? [invalid(path, code, "must be between 0 and 2147483647, inclusive")] : [];
    }),
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
