import { ageSince } from "#api/meta/age.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { age, ageOf, type ColumnSketch, createdAt, name, type TableSketch } from "./table-sketch.ts";

/** Kinds that have nothing to show but their age. */
export const plainTable: TableSketch = {
  columns: [name, age],
  cells: (object, nowMs) => [object.metadata.name, ageOf(object, nowMs)],
};

/** Kinds without a table of their own. */
export const createdTable: TableSketch = {
  columns: [name, createdAt],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? null],
};

/** Namespaces: their phase. */
export const namespaceTable: TableSketch = {
  columns: [name, { name: "Status", about: "The status of the namespace" }, age],
  cells: (object, nowMs) => [object.metadata.name, object.status?.phase ?? "", ageOf(object, nowMs)],
};

/** ConfigMaps: how many keys they have. */
export const configMapTable: TableSketch = {
  columns: [name, { name: "Data", field: "data" }, age],
  cells: (object, nowMs) => [
    object.metadata.name,
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    ageOf(object, nowMs),
  ],
};

/** Secrets: their type and how many keys they have. */
export const secretTable: TableSketch = {
  columns: [name, { name: "Type", field: "type" }, { name: "Data", field: "data" }, age],
  cells: (object, nowMs) => [
    object.metadata.name,
    object.type ?? "",
    Object.keys(object.data ?? {}).length,
    ageOf(object, nowMs),
  ],
};

/** Nodes: whether they are ready, their roles, what they run. */
export const nodeTable: TableSketch = {
  columns: [
    name,
    { name: "Status", about: "The status of the node" },
    { name: "Roles", about: "The roles of the node" },
    age,
    { name: "Version", field: "status.nodeInfo.kubeletVersion" },
    { name: "Internal-IP", wide: true, field: "status.addresses" },
    { name: "External-IP", wide: true, field: "status.addresses" },
    { name: "OS-Image", wide: true, field: "status.nodeInfo.osImage" },
    { name: "Kernel-Version", wide: true, field: "status.nodeInfo.kernelVersion" },
    { name: "Container-Runtime", wide: true, field: "status.nodeInfo.containerRuntimeVersion" },
  ],
  cells: (object, nowMs) => {
    const info: Fields = object.status?.nodeInfo ?? {};
    const kernel = info.kernelVersion || "<unknown>";
    return [
      object.metadata.name,
      nodeStatus(object),
      nodeRoles(object.metadata.labels ?? {}),
      ageOf(object, nowMs),
      info.kubeletVersion ?? "",
      nodeAddress(object, "InternalIP"),
      nodeAddress(object, "ExternalIP"),
      info.osImage || "<unknown>",
      info.architecture ? `${kernel} (${info.architecture})` : kernel,
      info.containerRuntimeVersion || "<unknown>",
    ];
  },
};

function nodeStatus({ spec = {}, status = {} }: Fields): string {
  const ready = (status.conditions ?? []).findLast((condition: Fields) => condition.type === "Ready");
  const word = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec.unschedulable === true ? `${word},SchedulingDisabled` : word;
}

const rolePrefix = "node-role.kubernetes.io/";

function nodeRoles(labels: Readonly<Record<string, string>>): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === "kubernetes.io/role" ? [value] : [];
  });
  return (
    [...new Set(roles)]
      .filter((role) => role !== "")
      .toSorted()
      .join(",") || "<none>"
  );
}

function nodeAddress({ status = {} }: Fields, type: string): string {
  return (status.addresses ?? []).find((address: Fields) => address.type === type)?.address ?? "<none>";
}

/** Events: what happened to what, and when last. */
export const eventTable: TableSketch = {
  columns: eventColumns({ object: "involvedObject", message: "message" }),
  cells: (event, nowMs) => eventCells(event, nowMs),
};

/** The same through the door of events.k8s.io/v1, whose fields have other names. */
export const newEventTable: TableSketch = {
  columns: eventColumns({ object: "regarding", message: "note" }),
  cells: (event, nowMs) =>
    eventCells(
      {
        ...event,
        involvedObject: event.regarding,
        message: event.note,
        source: event.deprecatedSource,
        reportingComponent: event.reportingController,
        firstTimestamp: event.deprecatedFirstTimestamp,
        lastTimestamp: event.deprecatedLastTimestamp,
        count: event.deprecatedCount,
      },
      nowMs,
    ),
};

function eventColumns({ object, message }: { object: string; message: string }): ColumnSketch[] {
  return [
    { name: "Last Seen", about: "The time at which the most recent occurrence of this event was recorded." },
    { name: "Type", field: "type" },
    { name: "Reason", field: "reason" },
    { name: "Object", field: object },
    { name: "Subobject", wide: true, field: `${object}.fieldPath` },
    {
      name: "Source",
      wide: true,
      about: "The component reporting this event. Should be a short machine understandable string.",
    },
    { name: "Message", field: message },
    {
      name: "First Seen",
      wide: true,
      about: "The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)",
    },
    { name: "Count", wide: true, about: "The number of times this event has occurred." },
    { ...name, wide: true },
  ];
}

function eventCells(event: Fields, nowMs: number): (string | number)[] {
  const object: Fields = event.involvedObject ?? {};
  const first = ageSince(event.firstTimestamp ?? event.eventTime, nowMs);
  const last = event.lastTimestamp == null ? first : ageSince(event.lastTimestamp, nowMs);
  const target = String(object.kind ?? "").toLowerCase();
  const source = event.source?.component || event.reportingComponent || "";
  const instance = event.source?.host || event.reportingInstance || "";
  return [
    event.series == null ? last : ageSince(event.series.lastObservedTime, nowMs),
    event.type ?? "",
    event.reason ?? "",
    object.name ? `${target}/${object.name}` : target,
    object.fieldPath ?? "",
    instance === "" ? source : `${source}, ${instance}`,
    String(event.message ?? "").trim(),
    first,
    event.series == null ? event.count || 1 : event.series.count,
    event.metadata.name,
  ];
}

/** Leases: who holds them. */
export const leaseTable: TableSketch = {
  columns: [name, { name: "Holder", field: "spec.holderIdentity" }, age],
  cells: (object, nowMs) => [object.metadata.name, object.spec?.holderIdentity ?? "", ageOf(object, nowMs)],
};

/** PriorityClasses: their value. */
export const priorityClassTable: TableSketch = {
  columns: [
    name,
    { name: "Value", type: "integer", field: "value" },
    { name: "Global-Default", type: "boolean", field: "globalDefault" },
    age,
    { name: "PreemptionPolicy", field: "preemptionPolicy" },
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    object.value ?? 0,
    object.globalDefault ?? false,
    ageOf(object, nowMs),
    object.preemptionPolicy ?? "",
  ],
};

/** RuntimeClasses: who runs their pods. */
export const runtimeClassTable: TableSketch = {
  columns: [name, { name: "Handler", field: "handler" }, age],
  cells: (object, nowMs) => [object.metadata.name, object.handler ?? "", ageOf(object, nowMs)],
};

/** ResourceQuotas: how much of each amount is used. */
export const resourceQuotaTable: TableSketch = {
  columns: [
    name,
    {
      name: "Request",
      about: "Request represents a minimum amount of cpu/memory that a container may consume.",
    },
    {
      name: "Limit",
      about:
        "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.",
    },
    age,
  ],
  cells: (object, nowMs) => {
    const { hard = {}, used = {} } = object.status ?? {};
    const names = Object.keys(hard).toSorted();
    const text = (chosen: readonly string[]): string =>
      chosen.map((resource) => `${resource}: ${used[resource] ?? "0"}/${hard[resource]}`).join(", ");
    return [
      object.metadata.name,
      text(names.filter((resource) => !resource.startsWith("limits."))),
      text(names.filter((resource) => resource.startsWith("limits."))),
      ageOf(object, nowMs),
    ];
  },
};

/** ComponentStatuses: whether the component is healthy. */
export const componentStatusTable: TableSketch = {
  columns: [
    name,
    { name: "Status", about: "Status of the component conditions" },
    { name: "Message", about: "Message of the component conditions" },
    { name: "Error", about: "Error of the component conditions" },
  ],
  cells: (object) => {
    const healthy = (object.conditions ?? []).find((condition: Fields) => condition.type === "Healthy");
    const status = healthy === undefined ? "Unknown" : healthy.status === "True" ? "Healthy" : "Unhealthy";
    return [object.metadata.name, status, healthy?.message ?? "", healthy?.error ?? ""];
  },
};
