import { aggregateJob } from "./aggregate-job.ts";
import { aggregateClaim, aggregatePod, aggregateVolume } from "./aggregate-phase.ts";
import {
  type AggregateStatus,
  cronJobStatus,
  disruptionBudgetSums,
  serviceAddresses,
  sumWorkload,
  unionOfAddresses,
} from "./aggregate-status.ts";
import {
  ingressDependencies,
  podDependencies,
  type ReadDependencies,
  serviceImportDependencies,
} from "./dependencies.ts";
import {
  claimHealth,
  daemonSetHealth,
  deploymentHealth,
  disruptionBudgetHealth,
  hasAddress,
  podHealth,
  type ReadHealth,
  replicaSetHealth,
  serviceHealth,
} from "./health.ts";
import {
  autoscalerStatus,
  disruptionBudgetStatus,
  jobStatus,
  type ReflectStatus,
  serviceStatus,
  workloadStatus,
} from "./reflect-status.ts";
import { jobReplicas, podReplicas, type ReadReplicas, type ReviseReplicas, replicasIn, reviseIn } from "./replicas.ts";
import {
  type RetainFields,
  retainClaim,
  retainJob,
  retainPod,
  retainReplicas,
  retainSecret,
  retainService,
  retainServiceAccount,
  retainVolume,
} from "./retain-fields.ts";
import { daemonSetStatus, deploymentStatus, replicaSetStatus, statefulSetStatus } from "./status-fields.ts";

/** What the system knows of a kind without being told. */
export interface KindRules {
  readonly replicas?: ReadReplicas;
  readonly reviseReplicas?: ReviseReplicas;
  readonly dependencies?: ReadDependencies;
  readonly health?: ReadHealth;
  /** Without it, the whole status is reported. */
  readonly reflectStatus?: ReflectStatus;
  readonly aggregateStatus?: AggregateStatus;
  readonly retain?: RetainFields;
}

const inTemplate = podDependencies("spec.template.spec");
const scaled = {
  replicas: replicasIn("spec.replicas"),
  reviseReplicas: reviseIn("spec.replicas"),
  dependencies: inTemplate,
};

/** By `apiVersion kind`. */
export const nativeRules: ReadonlyMap<string, KindRules> = new Map<string, KindRules>([
  [
    "apps/v1 Deployment",
    {
      ...scaled,
      health: deploymentHealth,
      reflectStatus: workloadStatus(deploymentStatus, { observed: true, nothingWhenEmpty: true }),
      aggregateStatus: sumWorkload(deploymentStatus),
      retain: retainReplicas,
    },
  ],
  [
    "apps/v1 StatefulSet",
    {
      ...scaled,
      health: deploymentHealth,
      reflectStatus: workloadStatus(statefulSetStatus, { observed: false, nothingWhenEmpty: false }),
      aggregateStatus: sumWorkload(statefulSetStatus, { mayHideTemplate: true }),
    },
  ],
  [
    "apps/v1 ReplicaSet",
    {
      ...scaled,
      health: replicaSetHealth,
      reflectStatus: workloadStatus(replicaSetStatus, { observed: true, nothingWhenEmpty: true }),
      aggregateStatus: sumWorkload(replicaSetStatus),
    },
  ],
  [
    "apps/v1 DaemonSet",
    {
      dependencies: inTemplate,
      health: daemonSetHealth,
      reflectStatus: workloadStatus(daemonSetStatus, { observed: true, nothingWhenEmpty: false }),
      aggregateStatus: sumWorkload(daemonSetStatus),
    },
  ],
  [
    "batch/v1 Job",
    {
      replicas: jobReplicas,
      reviseReplicas: reviseIn("spec.parallelism"),
      dependencies: inTemplate,
      reflectStatus: jobStatus,
      aggregateStatus: aggregateJob,
      retain: retainJob,
    },
  ],
  [
    "batch/v1 CronJob",
    { dependencies: podDependencies("spec.jobTemplate.spec.template.spec"), aggregateStatus: cronJobStatus },
  ],
  [
    "v1 Pod",
    {
      replicas: podReplicas,
      dependencies: podDependencies("spec"),
      health: podHealth,
      aggregateStatus: aggregatePod,
      retain: retainPod,
    },
  ],
  [
    "v1 Service",
    {
      health: serviceHealth,
      reflectStatus: serviceStatus,
      aggregateStatus: serviceAddresses,
      retain: retainService,
    },
  ],
  [
    "networking.k8s.io/v1 Ingress",
    { dependencies: ingressDependencies, health: hasAddress, aggregateStatus: unionOfAddresses },
  ],
  ["multicluster.x-k8s.io/v1alpha1 ServiceImport", { dependencies: serviceImportDependencies }],
  ["v1 ServiceAccount", { retain: retainServiceAccount }],
  ["v1 Secret", { retain: retainSecret }],
  ["v1 PersistentVolume", { aggregateStatus: aggregateVolume, retain: retainVolume }],
  ["v1 PersistentVolumeClaim", { health: claimHealth, aggregateStatus: aggregateClaim, retain: retainClaim }],
  [
    "policy/v1 PodDisruptionBudget",
    { health: disruptionBudgetHealth, reflectStatus: disruptionBudgetStatus, aggregateStatus: disruptionBudgetSums },
  ],
  ["autoscaling/v2 HorizontalPodAutoscaler", { reflectStatus: autoscalerStatus }],
]);
