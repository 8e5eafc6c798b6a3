import { ageSince } from "#api/meta/age.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { humanDuration } from "#base/human-duration.ts";
import {
  age,
  ageOf,
  type ColumnSketch,
  labelText,
  name,
  selectorText,
  type TableSketch,
  templateCells,
  templateColumns,
} from "./table-sketch.ts";

const selector: ColumnSketch = { name: "Selector", wide: true, field: "spec.selector" };

const replicaColumns: readonly ColumnSketch[] = [
  name,
  { name: "Desired", type: "integer", field: "spec.replicas" },
  { name: "Current", type: "integer", field: "status.replicas" },
  { name: "Ready", type: "integer", field: "status.readyReplicas" },
  age,
  ...templateColumns,
  selector,
];

function replicaTable(selected: (spec: Fields) => string): TableSketch {
  return {
    columns: replicaColumns,
    cells: (object, nowMs) => {
      const { spec = {}, status = {} } = object;
      return [
        ...[object.metadata.name, spec.replicas ?? 0, status.replicas ?? 0, status.readyReplicas ?? 0],
        ...[ageOf(object, nowMs), ...templateCells(spec.template), selected(spec)],
      ];
    },
  };
}

/** ReplicaSets: replicas wanted, there and ready. */
export const replicaSetTable: TableSketch = replicaTable((spec) => selectorText(spec.selector));
/** ReplicationControllers: the same. */
export const replicationControllerTable: TableSketch = replicaTable((spec) => labelText(spec.selector));

/** Deployments: replicas ready, up to date and available. */
export const deploymentTable: TableSketch = {
  columns: [
    name,
    { name: "Ready", about: "Number of the pod with ready state" },
    { name: "Up-to-date", field: "status.updatedReplicas" },
    { name: "Available", field: "status.availableReplicas" },
    age,
    ...templateColumns,
    selector,
  ],
  cells: (object, nowMs) => {
    const { spec = {}, status = {} } = object;
    return [
      object.metadata.name,
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      ageOf(object, nowMs),
      ...templateCells(spec.template),
      selectorText(spec.selector).replace(/^<none>$/, ""),
    ];
  },
};

/** StatefulSets: replicas ready. */
export const statefulSetTable: TableSketch = {
  columns: [name, { name: "Ready", about: "Number of the pod with ready state" }, age, ...templateColumns],
  cells: (object, nowMs) => [
    object.metadata.name,
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    ageOf(object, nowMs),
    ...templateCells(object.spec?.template),
  ],
};

const daemonCounts: readonly (readonly [string, string])[] = [
  ["Desired", "desiredNumberScheduled"],
  ["Current", "currentNumberScheduled"],
  ["Ready", "numberReady"],
  ["Up-to-date", "updatedNumberScheduled"],
  ["Available", "numberAvailable"],
];

/** DaemonSets: on how many nodes their pods are. */
export const daemonSetTable: TableSketch = {
  columns: [
    name,
    ...daemonCounts.map(([title, field]): ColumnSketch => ({ name: title, type: "integer", field: `status.${field}` })),
    { name: "Node Selector", field: "spec.template.spec.nodeSelector" },
    age,
    ...templateColumns,
    selector,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    ...daemonCounts.map(([, field]) => object.status?.[field] ?? 0),
    labelText(object.spec?.template?.spec?.nodeSelector),
    ageOf(object, nowMs),
    ...templateCells(object.spec?.template),
    selectorText(object.spec?.selector),
  ],
};

/** Jobs: how far they are and how long they took. */
export const jobTable: TableSketch = {
  columns: [
    name,
    { name: "Status", about: "Status of the job." },
    { name: "Completions", field: "status.succeeded" },
    { name: "Duration", about: "Time required to complete the job." },
    age,
    ...templateColumns,
    selector,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    jobStatus(object),
    completions(object),
    jobDuration(object.status ?? {}, nowMs),
    ageOf(object, nowMs),
    ...templateCells(object.spec?.template),
    selectorText(object.spec?.selector),
  ],
};

function jobStatus({ metadata, status = {} }: Fields): string {
  const has = (type: string): boolean =>
    (status.conditions ?? []).find((condition: Fields) => condition.type === type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (metadata.deletionTimestamp != null) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

function completions({ spec = {}, status = {} }: Fields): string {
  const done = status.succeeded ?? 0;
  if (spec.completions != null) return `${done}/${spec.completions}`;
  return (spec.parallelism ?? 0) > 1 ? `${done}/1 of ${spec.parallelism}` : `${done}/1`;
}

function jobDuration({ startTime, completionTime }: Fields, nowMs: number): string {
  if (startTime == null) return "";
  return humanDuration((completionTime == null ? nowMs : Date.parse(completionTime)) - Date.parse(startTime));
}

/** CronJobs: their schedule and when they last ran. */
export const cronJobTable: TableSketch = {
  columns: [
    name,
    { name: "Schedule", field: "spec.schedule" },
    { name: "Timezone", field: "spec.timeZone" },
    { name: "Suspend", type: "boolean", field: "spec.suspend" },
    { name: "Active", type: "integer", field: "status.active" },
    { name: "Last Schedule", field: "status.lastScheduleTime" },
    age,
    ...templateColumns,
    { name: "Selector", wide: true, field: "spec.jobTemplate.spec.selector" },
  ],
  cells: (object, nowMs) => {
    const { spec = {}, status = {} } = object;
    const suspended = spec.suspend == null ? "<unset>" : spec.suspend ? "True" : "False";
    const last = status.lastScheduleTime == null ? "<none>" : ageSince(status.lastScheduleTime, nowMs);
    return [
      ...[object.metadata.name, spec.schedule ?? "", spec.timeZone ?? "<none>", suspended],
      ...[(status.active ?? []).length, last, ageOf(object, nowMs)],
      ...templateCells(spec.jobTemplate?.spec?.template),
      selectorText(spec.jobTemplate?.spec?.selector),
    ];
  },
};

/** PodTemplates: their containers. */
export const podTemplateTable: TableSketch = {
  columns: [
    name,
    ...templateColumns.map(({ wide: _, ...column }) => column),
    { name: "Pod Labels", about: "The labels for the pod template." },
  ],
  cells: (object) => [
    object.metadata.name,
    ...templateCells(object.template),
    labelText(object.template?.metadata?.labels),
  ],
};

/** ControllerRevisions: whose they are. */
export const controllerRevisionTable: TableSketch = {
  columns: [
    name,
    { name: "Controller", about: "Controller of the object" },
    { name: "Revision", field: "revision" },
    age,
  ],
  cells: (object, nowMs) => {
    const owner = (object.metadata.ownerReferences ?? []).find((reference: Fields) => reference.controller === true);
    return [
      object.metadata.name,
      owner === undefined ? "<none>" : ownerText(owner),
      object.revision ?? 0,
      ageOf(object, nowMs),
    ];
  },
};

/** `deployment.apps/web`. */
function ownerText({ apiVersion, kind, name: owner }: Fields): string {
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  return `${kind}${group}`.toLowerCase().concat(`/${owner}`);
}

/** PodDisruptionBudgets: their bounds and what they allow now. */
export const disruptionBudgetTable: TableSketch = {
  columns: [
    name,
    { name: "Min Available", about: "The minimum number of pods that must be available." },
    { name: "Max Unavailable", about: "The maximum number of pods that may be unavailable." },
    {
      name: "Allowed Disruptions",
      type: "integer",
      about: "Calculated number of pods that may be disrupted at this time.",
    },
    age,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    String(object.spec?.minAvailable ?? "N/A"),
    String(object.spec?.maxUnavailable ?? "N/A"),
    object.status?.disruptionsAllowed ?? 0,
    ageOf(object, nowMs),
  ],
};
