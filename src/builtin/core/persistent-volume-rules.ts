import { dnsLabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { parseQuantity } from "#base/quantity.ts";
import { goValue } from "../go-findings.ts";
import { positiveAmount } from "../resource-amounts.ts";
import { asSent } from "../sent-empty.ts";
import { isMissing, oneOf, oneOfGiven, optionalText, requiredText, textErrors } from "../value-rules.ts";
import { nodeSelectorErrors } from "./affinity-rules.ts";
import { persistentCsiErrors } from "./csi-source-rules.ts";
import { persistentIscsiErrors, portalErrors } from "./iscsi-rules.ts";
import { backstepErrors } from "./path-rules.ts";
import { accessModeErrors } from "./persistent-volume-claim.ts";
import { chosenSourceErrors, type SourceRule, sourceRules } from "./volume-source-rules.ts";

/** What is wrong with the spec of a persistent volume of this name. */
export function volumeSpecErrors(spec: Fields, path: string, name: string): FieldError[] {
  const { iscsi, local, nodeAffinity, volumeAttributesClassName: attributes } = spec;
  const chosen = persistentSources.find((source) => spec[source] != null);
  return [
    ...modeErrors(spec, path),
    ...capacityErrors(asSent(spec, "capacity"), `${path}.capacity`),
    ...oneOf(`${path}.persistentVolumeReclaimPolicy`, spec.persistentVolumeReclaimPolicy, [
      ...["Delete", "Recycle", "Retain"],
    ]),
    ...(nodeAffinity == null ? [] : nodeAffinityErrors(nodeAffinity.required, `${path}.nodeAffinity.required`)),
    ...persistentSourceErrors(spec, path),
    ...(chosen === "iscsi"
      ? portalErrors(iscsi, name, { path: `${path}.iscsi.targetportal`, value: iscsi.targetPortal ?? "" })
      : []),
    ...(local != null && chosen === "local" && nodeAffinity == null
      ? [required(`${path}.nodeAffinity`, "Local volume requires node affinity")]
      : []),
    ...recycledRootErrors(spec, path),
    ...optionalText(`${path}.storageClassName`, spec.storageClassName, dnsSubdomainErrors),
    ...oneOfGiven(`${path}.volumeMode`, spec.volumeMode, ["Block", "Filesystem"]),
    ...(attributes == null ? [] : attributesErrors(attributes, spec, path)),
  ];
}

/** The same of a volume that stands in another object and is of no claim. */
export function inlineVolumeSpecErrors(spec: Fields, path: string): FieldError[] {
  const context = "in the context of inline volumes";
  const reclaim = spec.persistentVolumeReclaimPolicy;
  const absent = (field: string) =>
    isMissing(spec[field]) ? [] : [forbidden(`${path}.${field}`, `may not be specified ${context}`)];
  return [
    ...absent("claimRef"),
    ...(Object.keys(spec.capacity ?? {}).length > 0 ? absent("capacity") : []),
    ...(spec.csi == null ? [required(`${path}.csi`, `has to be specified ${context}`)] : []),
    ...modeErrors(spec, path),
    ...(isMissing(reclaim) || reclaim === "Retain"
      ? []
      : [forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${context}`)]),
    ...absent("nodeAffinity"),
    ...persistentSourceErrors(spec, path),
    ...(spec.local != null && persistentSources.find((source) => spec[source] != null) === "local"
      ? [required(`${path}.nodeAffinity`, "Local volume requires node affinity")]
      : []),
    ...recycledRootErrors(spec, path),
    ...absent("storageClassName"),
    ...(spec.volumeMode == null || spec.volumeMode === "Filesystem"
      ? []
      : [forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${context}`)]),
  ];
}

/** Where the bytes of a persistent volume can be, in the order in which they are looked for. */
export const persistentSources = [
  ...["hostPath", "gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "flocker", "nfs", "rbd", "quobyte"],
  ...["cephfs", "iscsi", "cinder", "fc", "flexVolume", "azureFile", "vsphereVolume", "photonPersistentDisk"],
  ...["portworxVolume", "azureDisk", "scaleIO", "local", "storageos", "csi"],
];

const secretPlace = (source: Fields, path: string) =>
  source.secretRef == null ? [] : requiredText(`${path}.secretRef.namespace`, source.secretRef.namespace);

const persistentRules: Readonly<Record<string, SourceRule>> = {
  ...sourceRules,
  glusterfs: (source, path) => [
    ...(sourceRules["glusterfs"]?.(source, path) ?? []),
    ...endpointsNamespaceErrors(`${path}.endpointsNamespace`, source.endpointsNamespace),
  ],
  cinder: (source, path) => [...(sourceRules["cinder"]?.(source, path) ?? []), ...secretPlace(source, path)],
  storageos: (source, path) => [...(sourceRules["storageos"]?.(source, path) ?? []), ...secretPlace(source, path)],
  azureFile: (source, path) => [
    ...(sourceRules["azureFile"]?.(source, path) ?? []),
    ...(source.secretNamespace === "" ? [required(`${path}.secretNamespace`)] : []),
  ],
  iscsi: persistentIscsiErrors,
  local: (source, path) =>
    isMissing(source.path) ? [required(`${path}.path`)] : backstepErrors(`${path}.path`, source.path),
  csi: persistentCsiErrors,
};

/** A flexVolume is looked at beside any other. */
function persistentSourceErrors(spec: Fields, path: string): FieldError[] {
  const errors = chosenSourceErrors(spec, path, { order: persistentSources, rules: persistentRules });
  const refusal = errors.findIndex((error) => error.path === `${path}.flexVolume` && error.type === "forbidden");
  if (refusal < 0) return errors;
  const judged = persistentRules["flexVolume"]?.(spec["flexVolume"], `${path}.flexVolume`) ?? [];
  return errors.toSpliced(refusal, 1, ...judged);
}

function endpointsNamespaceErrors(path: string, namespace: string | null | undefined): FieldError[] {
  if (namespace == null) return [];
  if (namespace !== "") return textErrors(path, namespace, dnsLabelErrors);
  return [invalid(path, "", "if the endpointnamespace is set, it must be a valid namespace name")];
}

function modeErrors(spec: Fields, path: string): FieldError[] {
  const modes: readonly string[] = spec.accessModes ?? [];
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`)] : []),
    ...accessModeErrors(modes, `${path}.accessModes`),
  ];
}

function nodeAffinityErrors(selector: Fields | undefined, path: string): FieldError[] {
  return selector == null
    ? [required(path, "must specify required node constraints")]
    : nodeSelectorErrors(selector, path);
}

function recycledRootErrors({ hostPath, persistentVolumeReclaimPolicy: reclaim }: Fields, path: string): FieldError[] {
  if (hostPath == null || reclaim !== "Recycle" || !isRoot(hostPath.path ?? "")) return [];
  return [forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'")];
}

/** Whether an absolute path leads nowhere but to where it starts. */
function isRoot(path: string): boolean {
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth = Math.max(0, depth - 1);
    else if (part !== "" && part !== ".") depth++;
  }
  return path.startsWith("/") && depth === 0;
}

function attributesErrors(name: string, spec: Fields, path: string): FieldError[] {
  const at = `${path}.volumeAttributesClassName`;
  return [
    ...(name === "" ? [required(at, "an empty string is disallowed")] : textErrors(at, name, dnsSubdomainErrors)),
    ...(spec.csi == null ? [required(`${path}.csi`, "has to be specified when using volumeAttributesClassName")] : []),
  ];
}

function capacityErrors(sent: unknown, path: string): FieldError[] {
  const capacity = isJsonObject(sent) ? sent : undefined;
  const names = Object.keys(capacity ?? {});
  const errors = names.length === 0 ? [required(path)] : [];
  if (names.length !== 1 || names[0] !== "storage")
    errors.push(notSupported(path, goValue("map quantity", capacity), ["storage"]));
  return [
    ...errors,
    ...names.flatMap((name) => [
      ...belowZeroErrors(`${path}[${name}]`, capacity?.[name]),
      ...positiveAmount(`${path}[${name}]`, capacity?.[name]),
    ]),
  ];
}

function belowZeroErrors(path: string, text: unknown): FieldError[] {
  const nanos = parseQuantity(String(text))?.nanos ?? 0n;
  if (nanos >= 0n) return [];
  const whole = nanos / 1_000_000_000n - (nanos % 1_000_000_000n === 0n ? 0n : 1n); // away from zero
  return [invalid(path, Number(whole), "must be a valid resource quantity")];
}
