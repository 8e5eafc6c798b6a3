import type { Fields } from "#api/meta/object-meta.ts";
import { defaultPullPolicy } from "./image-name.ts";

/** Defaults of one volume of a pod. */
export function defaultVolume(volume: Fields): void {
  if (Object.keys(volume).every((key) => key === "name" || volume[key] == null)) volume.emptyDir = {};
  for (const source of ["secret", "configMap", "downwardAPI", "projected"]) {
    if (volume[source] != null) volume[source].defaultMode ??= 0o644;
  }
  if (volume.hostPath != null) volume.hostPath.type ??= "";
  if (volume.image != null) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? "");
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim != null) {
    claim.volumeMode ??= "Filesystem";
    volume.ephemeral.volumeClaimTemplate.metadata ??= {};
  }
  defaultDownwardItems(volume.downwardAPI);
  for (const source of volume.projected?.sources ?? []) {
    for (const off of ["clusterTrustBundle", "podCertificate"]) delete source[off]; // of features that are off in Kubernetes
    defaultDownwardItems(source.downwardAPI);
    if (source.serviceAccountToken != null) source.serviceAccountToken.expirationSeconds ??= 3600;
  }
  defaultDiskSources(volume);
}

/** Defaults of a reference to a field of the pod or to a container's resources. */
export function defaultFieldReferences(holder: Fields | undefined): void {
  if (holder?.fieldRef != null) holder.fieldRef.apiVersion ||= "v1";
  // a Go struct without omission: the zero amount is always printed
  if (holder?.resourceFieldRef != null) holder.resourceFieldRef.divisor ??= "0";
}

function defaultDownwardItems(source: Fields | undefined): void {
  for (const item of source?.items ?? []) defaultFieldReferences(item);
}

/** Defaults of the sources that pods and persistent volumes have in common. */
export function defaultDiskSources(source: Fields): void {
  if (source.iscsi != null) source.iscsi.iscsiInterface ||= "default";
  if (source.rbd != null) {
    source.rbd.pool ||= "rbd";
    source.rbd.user ||= "admin";
    source.rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (source.azureDisk != null) {
    source.azureDisk.cachingMode ??= "ReadWrite";
    source.azureDisk.kind ??= "Shared";
    source.azureDisk.fsType ??= "ext4";
    source.azureDisk.readOnly ??= false;
  }
  if (source.scaleIO != null) {
    source.scaleIO.storageMode ||= "ThinProvisioned";
    source.scaleIO.fsType ||= "xfs";
  }
}
