import type { KeptMetadata, ScalePaths, Strategy } from "#api/meta/resource-type.ts";
import { admissionPolicyBindingStrategy, admissionPolicyStrategy } from "./admissionregistration/admission-policy.ts";
import { mutatingWebhookStrategy, validatingWebhookStrategy } from "./admissionregistration/webhook-configuration.ts";
import { customResourceDefinitionStrategy, type SchemaCheck } from "./apiextensions/custom-resource-definition.ts";
import { controllerRevisionStrategy } from "./apps/controller-revision.ts";
import { daemonSetStrategy } from "./apps/daemon-set.ts";
import { deploymentStrategy } from "./apps/deployment.ts";
import { replicaSetStrategy } from "./apps/replica-set.ts";
import { statefulSetStrategy } from "./apps/stateful-set.ts";
import { horizontalPodAutoscalerStrategy } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJobStrategy } from "./batch/cron-job.ts";
import { jobStrategy } from "./batch/job.ts";
import { leaseStrategy } from "./coordination/lease.ts";
import { configMapStrategy } from "./core/config-map.ts";
import { endpointsStrategy } from "./core/endpoints.ts";
import { limitRangeStrategy } from "./core/limit-range.ts";
import { namespaceStrategy } from "./core/namespace.ts";
import { nodeStrategy } from "./core/node.ts";
import { persistentVolumeStrategy } from "./core/persistent-volume.ts";
import { persistentVolumeClaimStrategy } from "./core/persistent-volume-claim.ts";
import { podStrategy } from "./core/pod.ts";
import { podTemplateStrategy } from "./core/pod-template.ts";
import { replicationControllerStrategy } from "./core/replication-controller.ts";
import { resourceQuotaStrategy } from "./core/resource-quota.ts";
import { secretStrategy } from "./core/secret.ts";
import { serviceStrategy } from "./core/service.ts";
import { endpointSliceStrategy } from "./discovery/endpoint-slice.ts";
import { eventStrategy, newEventStrategy } from "./events/event.ts";
import { ingressStrategy } from "./networking/ingress.ts";
import { ingressClassStrategy } from "./networking/ingress-class.ts";
import { networkPolicyStrategy } from "./networking/network-policy.ts";
import { runtimeClassStrategy } from "./node/runtime-class.ts";
import { podDisruptionBudgetStrategy } from "./policy/pod-disruption-budget.ts";
import { clusterRoleStrategy, roleStrategy } from "./rbac/role.ts";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./rbac/role-binding.ts";
import { priorityClassStrategy } from "./scheduling/priority-class.ts";
import {
  csiDriverStrategy,
  csiNodeStrategy,
  csiStorageCapacityStrategy,
  volumeAttributesClassStrategy,
} from "./storage/csi-kinds.ts";
import { storageClassStrategy } from "./storage/storage-class.ts";
import { volumeAttachmentStrategy } from "./storage/volume-attachment.ts";

const plain: Strategy = { generation: "none", unconditionalUpdate: true };

/** By `<group>/<kind>`; kinds that are not listed have nothing of their own. */
const strategies: Readonly<Record<string, Strategy>> = {
  "/ConfigMap": configMapStrategy,
  "/Endpoints": endpointsStrategy,
  "/Event": eventStrategy,
  "/LimitRange": limitRangeStrategy,
  "/Namespace": namespaceStrategy,
  "/Node": nodeStrategy,
  "/PersistentVolume": persistentVolumeStrategy,
  "/PersistentVolumeClaim": persistentVolumeClaimStrategy,
  "/Pod": podStrategy,
  "/PodTemplate": podTemplateStrategy,
  "/ReplicationController": replicationControllerStrategy,
  "/ResourceQuota": resourceQuotaStrategy,
  "/Secret": secretStrategy,
  "/Service": serviceStrategy,
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": admissionPolicyStrategy,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": admissionPolicyBindingStrategy,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": mutatingWebhookStrategy,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": admissionPolicyStrategy,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": admissionPolicyBindingStrategy,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": validatingWebhookStrategy,
  "apps/ControllerRevision": controllerRevisionStrategy,
  "apps/DaemonSet": daemonSetStrategy,
  "apps/Deployment": deploymentStrategy,
  "apps/ReplicaSet": replicaSetStrategy,
  "apps/StatefulSet": statefulSetStrategy,
  "autoscaling/HorizontalPodAutoscaler": horizontalPodAutoscalerStrategy,
  "batch/CronJob": cronJobStrategy,
  "batch/Job": jobStrategy,
  "coordination.k8s.io/Lease": leaseStrategy,
  "discovery.k8s.io/EndpointSlice": endpointSliceStrategy,
  "events.k8s.io/Event": newEventStrategy,
  "networking.k8s.io/Ingress": ingressStrategy,
  "networking.k8s.io/IngressClass": ingressClassStrategy,
  "networking.k8s.io/NetworkPolicy": networkPolicyStrategy,
  "node.k8s.io/RuntimeClass": runtimeClassStrategy,
  "policy/PodDisruptionBudget": podDisruptionBudgetStrategy,
  "rbac.authorization.k8s.io/ClusterRole": clusterRoleStrategy,
  "rbac.authorization.k8s.io/ClusterRoleBinding": clusterRoleBindingStrategy,
  "rbac.authorization.k8s.io/Role": roleStrategy,
  "rbac.authorization.k8s.io/RoleBinding": roleBindingStrategy,
  "scheduling.k8s.io/PriorityClass": priorityClassStrategy,
  "storage.k8s.io/CSIDriver": csiDriverStrategy,
  "storage.k8s.io/CSINode": csiNodeStrategy,
  "storage.k8s.io/CSIStorageCapacity": csiStorageCapacityStrategy,
  "storage.k8s.io/StorageClass": storageClassStrategy,
  "storage.k8s.io/VolumeAttachment": volumeAttachmentStrategy,
  "storage.k8s.io/VolumeAttributesClass": volumeAttributesClassStrategy,
};

/** What differs for a built-in kind; `schemaErrors` judges the schemas inside CustomResourceDefinitions. */
export function strategyOf(group: string, kind: string, schemaErrors: SchemaCheck = () => []): Strategy {
  if (kind === "CustomResourceDefinition") return customResourceDefinitionStrategy(schemaErrors);
  const strategy = strategies[`${group}/${kind}`] ?? plain;
  const statusKeeps = keptByStatus[`${group}/${kind}`];
  return {
    ...strategy,
    ...(statusKeeps === undefined ? {} : { statusKeeps }),
    ...(returned.has(`${group}/${kind}`) ? { returnsDeleted: true } : {}),
  };
}

/** Kinds whose objects are given back when they are deleted. */
const returned: ReadonlySet<string> = new Set([
  ...["/Namespace", "/PersistentVolume", "/PersistentVolumeClaim", "/Pod", "/PodTemplate", "/ResourceQuota"],
  ...["/Service", "/ServiceAccount", "storage.k8s.io/CSIDriver", "storage.k8s.io/CSINode"],
  ...["storage.k8s.io/StorageClass", "storage.k8s.io/VolumeAttachment", "storage.k8s.io/VolumeAttributesClass"],
]);

const allMetadata = ["labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp"] as const;

/** Kinds whose status is written without some of the metadata beside it; with most it is written. */
const keptByStatus: Readonly<Record<string, readonly KeptMetadata[]>> = {
  "/Pod": ["ownerReferences", "deletionTimestamp"],
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": allMetadata,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": allMetadata,
  "apps/Deployment": ["labels"],
  "networking.k8s.io/ServiceCIDR": allMetadata,
  "storage.k8s.io/VolumeAttachment": allMetadata,
};

const selectorObject = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};
const scaled: Readonly<Record<string, ScalePaths>> = {
  "/ReplicationController": selectorObject,
  "apps/Deployment": selectorObject,
  "apps/ReplicaSet": selectorObject,
  "apps/StatefulSet": selectorObject,
};

/** Where a built-in kind keeps its number of replicas; undefined for kinds that are not scaled. */
export function scalePathsOf(group: string, kind: string): ScalePaths | undefined {
  return scaled[`${group}/${kind}`];
}
