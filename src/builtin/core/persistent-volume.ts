import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { parseQuantity } from "#base/quantity.ts";
import { goValue, withDifference } from "../go-findings.ts";
import { positiveAmount } from "../resource-amounts.ts";
import { asSent } from "../sent-empty.ts";
import { immutableName, oneOf, optionalText, requiredText, sameValue } from "../value-rules.ts";
import { nodeSelectorErrors } from "./affinity-rules.ts";
import { canonicalResourceList } from "./canonical-quantities.ts";
import { accessModeErrors } from "./persistent-volume-claim.ts";
import { defaultDiskSources } from "./volume-defaults.ts";
import { hostPathErrors, nfsErrors } from "./volume-rules.ts";

/** Everything in a volume's spec that is not where its bytes are. */
const plainFields: ReadonlySet<string> = new Set([
  ...["accessModes", "capacity", "claimRef", "mountOptions", "nodeAffinity", "persistentVolumeReclaimPolicy"],
  ...["storageClassName", "volumeAttributesClassName", "volumeMode"],
]);

/** PersistentVolumes. */
export const persistentVolumeStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.status ??= {};
    draft.status.phase ||= "Pending";
    draft.spec.persistentVolumeReclaimPolicy ||= "Retain";
    draft.spec.volumeMode ??= "Filesystem";
    if (draft.spec.hostPath != null) draft.spec.hostPath.type ??= "";
    defaultDiskSources(draft.spec);
    canonicalResourceList(draft.spec.capacity);
  },
  prepareForCreate: (draft) => {
    draft.status = { phase: "Pending", lastPhaseTransitionTime: draft.metadata.creationTimestamp };
  },
  validate: validateVolume,
  validateUpdate: ({ spec }: Fields, old: Fields) => {
    const errors = immutableName("volumeMode", spec.volumeMode, old.spec.volumeMode);
    if (sameValue(sourceOf(spec), sourceOf(old.spec))) return errors;
    const message = "spec.persistentvolumesource is immutable after creation";
    const error = forbidden("spec.persistentvolumesource", message);
    return [withDifference(error, { type: "core.PersistentVolumeSource", old: old.spec, next: spec }), ...errors];
  },
};

function sourceOf(spec: Fields): Fields {
  return Object.fromEntries(Object.entries(spec).filter(([field, value]) => !plainFields.has(field) && value != null));
}

const sourceRules: Readonly<Record<string, (source: Fields, path: string) => FieldError[]>> = {
  hostPath: hostPathErrors,
  nfs: nfsErrors,
  local: (source, path) => requiredText(`${path}.path`, source.path),
  csi: (source, path) => [
    ...requiredText(`${path}.driver`, source.driver),
    ...requiredText(`${path}.volumeHandle`, source.volumeHandle),
  ],
};

function validateVolume({ spec }: Fields): FieldError[] {
  const modes: readonly string[] = spec.accessModes ?? [];
  const given = sourceOf(spec);
  const sources = judgedOrder.filter((source) => Object.hasOwn(given, source));
  const [first = "", ...more] = sources;
  return [
    ...(modes.length === 0 ? [required("spec.accessModes")] : []),
    ...accessModeErrors(modes, "spec.accessModes"),
    ...capacityErrors(asSent(spec, "capacity")),
    ...oneOf("spec.persistentVolumeReclaimPolicy", spec.persistentVolumeReclaimPolicy, ["Delete", "Recycle", "Retain"]),
    ...(spec.nodeAffinity == null ? [] : nodeAffinityErrors(spec.nodeAffinity.required, "spec.nodeAffinity.required")),
    ...(sourceRules[first]?.(spec[first], `spec.${first}`) ?? []),
    ...(spec.local != null && spec.nodeAffinity == null
      ? [required("spec.nodeAffinity", "Local volume requires node affinity")]
      : []),
    ...more
      .filter((source) => source !== "flexVolume")
      .map((source) =>
        forbidden(`spec.${source === "cephfs" ? "cephFS" : source}`, "may not specify more than 1 volume type"),
      ),
    ...(sources.length === 0 ? [required("spec", "must specify a volume type")] : []),
    ...optionalText("spec.storageClassName", spec.storageClassName, dnsSubdomainErrors),
    ...oneOf("spec.volumeMode", spec.volumeMode, ["Block", "Filesystem"]),
    ...(spec.volumeAttributesClassName != null && spec.csi == null
      ? [required("spec.csi", "has to be specified when using volumeAttributesClassName")]
      : []),
    ...optionalText("spec.volumeAttributesClassName", spec.volumeAttributesClassName, dnsSubdomainErrors),
  ];
}

/** The first of these that is there is looked at. */
const judgedOrder = [
  ...[
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
  ],
  ...["iscsi", "cinder", "fc", "flexVolume", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume"],
  ...["azureDisk", "scaleIO", "local", "storageos", "csi"],
];

function nodeAffinityErrors(selector: Fields | undefined, path: string): FieldError[] {
  return selector == null
    ? [required(path, "must specify required node constraints")]
    : nodeSelectorErrors(selector, path);
}

function capacityErrors(sent: unknown): FieldError[] {
  const capacity = isJsonObject(sent) ? sent : undefined;
  const names = Object.keys(capacity ?? {});
  const errors = names.length === 0 ? [required("spec.capacity")] : [];
  if (names.length !== 1 || names[0] !== "storage")
    errors.push(notSupported("spec.capacity", goValue("map quantity", capacity), ["storage"]));
  return [
    ...errors,
    ...names.flatMap((name) => [
      ...belowZeroErrors(`spec.capacity[${name}]`, capacity?.[name]),
      ...positiveAmount(`spec.capacity[${name}]`, capacity?.[name]),
    ]),
  ];
}

function belowZeroErrors(path: string, text: unknown): FieldError[] {
  const nanos = parseQuantity(String(text))?.nanos ?? 0n;
  if (nanos >= 0n) return [];
  const whole = nanos / 1_000_000_000n - (nanos % 1_000_000_000n === 0n ? 0n : 1n); // away from zero
  return [invalid(path, Number(whole), "must be a valid resource quantity")];
}
