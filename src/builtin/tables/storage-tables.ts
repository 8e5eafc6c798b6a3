import type { Fields } from "#api/meta/object-meta.ts";
import { withDefault } from "./network-tables.ts";
import { age, ageOf, name, type TableSketch } from "./table-sketch.ts";

const modeNames: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

function modesText(modes: readonly string[] | undefined): string {
  return modeNames
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

function classOf({ metadata, spec = {} }: Fields): string {
  return metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? "";
}

function phaseOf({ metadata, status = {} }: Fields): string {
  return metadata.deletionTimestamp == null ? (status.phase ?? "") : "Terminating";
}

/** PersistentVolumes: how large they are and who has them. */
export const volumeTable: TableSketch = {
  columns: [
    name,
    { name: "Capacity", field: "spec.capacity" },
    { name: "Access Modes", field: "spec.accessModes" },
    { name: "Reclaim Policy", field: "spec.persistentVolumeReclaimPolicy" },
    { name: "Status", field: "status.phase" },
    { name: "Claim", field: "spec.claimRef" },
    { name: "StorageClass", about: "StorageClass of the pv" },
    { name: "VolumeAttributesClass", about: "VolumeAttributesClass of the pv" },
    { name: "Reason", field: "status.reason" },
    age,
    { name: "VolumeMode", wide: true, field: "spec.volumeMode" },
  ],
  cells: (object, nowMs) => {
    const { spec = {}, status = {} } = object;
    return [
      object.metadata.name,
      spec.capacity?.storage ?? "0",
      modesText(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? "",
      phaseOf(object),
      spec.claimRef == null ? "" : `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}`,
      classOf(object),
      spec.volumeAttributesClassName ?? "<unset>",
      status.reason ?? "",
      ageOf(object, nowMs),
      spec.volumeMode ?? "<unset>",
    ];
  },
};

/** PersistentVolumeClaims: what they are bound to. */
export const claimTable: TableSketch = {
  columns: [
    name,
    { name: "Status", field: "status.phase" },
    { name: "Volume", field: "spec.volumeName" },
    { name: "Capacity", field: "status.capacity" },
    { name: "Access Modes", field: "status.accessModes" },
    { name: "StorageClass", about: "StorageClass of the pvc" },
    { name: "VolumeAttributesClass", about: "VolumeAttributesClass of the pvc" },
    age,
    { name: "VolumeMode", wide: true, field: "spec.volumeMode" },
  ],
  cells: (object, nowMs) => {
    const { spec = {}, status = {} } = object;
    const bound = Boolean(spec.volumeName);
    return [
      object.metadata.name,
      phaseOf(object),
      spec.volumeName ?? "",
      bound ? (status.capacity?.storage ?? "0") : "",
      bound ? modesText(status.accessModes) : "",
      classOf(object),
      spec.volumeAttributesClassName ?? "<unset>",
      ageOf(object, nowMs),
      spec.volumeMode ?? "<unset>",
    ];
  },
};

/** StorageClasses: who makes their volumes; the default one is marked. */
export const storageClassTable: TableSketch = {
  columns: [
    name,
    { name: "Provisioner", field: "provisioner" },
    { name: "ReclaimPolicy", field: "reclaimPolicy" },
    { name: "VolumeBindingMode", field: "volumeBindingMode" },
    { name: "AllowVolumeExpansion", field: "allowVolumeExpansion" },
    age,
  ],
  cells: (object, nowMs) => [
    withDefault(object, "storageclass.kubernetes.io/is-default-class"),
    object.provisioner ?? "",
    object.reclaimPolicy ?? "Delete",
    object.volumeBindingMode ?? "Immediate",
    object.allowVolumeExpansion ?? false,
    ageOf(object, nowMs),
  ],
};

/** CSIDrivers: what they can do. */
export const csiDriverTable: TableSketch = {
  columns: [
    name,
    { name: "AttachRequired", type: "boolean", field: "spec.attachRequired" },
    { name: "PodInfoOnMount", type: "boolean", field: "spec.podInfoOnMount" },
    { name: "StorageCapacity", type: "boolean", field: "spec.storageCapacity" },
    { name: "TokenRequests", field: "spec.tokenRequests" },
    { name: "RequiresRepublish", type: "boolean", field: "spec.requiresRepublish" },
    { name: "Modes", field: "spec.volumeLifecycleModes" },
    age,
  ],
  cells: (object, nowMs) => {
    const { spec = {} } = object;
    return [
      object.metadata.name,
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.map(({ audience }: Fields) => audience).join(",") ?? "<unset>",
      spec.requiresRepublish ?? false,
      (spec.volumeLifecycleModes ?? []).join(",") || "<none>",
      ageOf(object, nowMs),
    ];
  },
};

/** CSINodes: how many drivers they have. */
export const csiNodeTable: TableSketch = {
  columns: [
    name,
    {
      name: "Drivers",
      type: "integer",
      about: "Drivers indicates the number of CSI drivers registered on the node",
    },
    age,
  ],
  cells: (object, nowMs) => [object.metadata.name, (object.spec?.drivers ?? []).length, ageOf(object, nowMs)],
};

/** VolumeAttachments: which volume is attached where. */
export const volumeAttachmentTable: TableSketch = {
  columns: [
    name,
    { name: "Attacher", format: "name", field: "spec.attacher" },
    { name: "PV", field: "spec.source.persistentVolumeName" },
    { name: "Node", field: "spec.nodeName" },
    { name: "Attached", type: "boolean", field: "status.attached" },
    age,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    object.spec?.attacher ?? "",
    object.spec?.source?.persistentVolumeName ?? "",
    object.spec?.nodeName ?? "",
    object.status?.attached ?? false,
    ageOf(object, nowMs),
  ],
};

/** VolumeAttributesClasses: their driver. */
export const volumeAttributesClassTable: TableSketch = {
  columns: [name, { name: "DriverName", field: "driverName" }, age],
  cells: (object, nowMs) => [object.metadata.name, object.driverName ?? "", ageOf(object, nowMs)],
};
