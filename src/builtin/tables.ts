import type { TablePrinter } from "#api/meta/resource-type.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { autoscalerTable } from "./tables/autoscaler-table.ts";
import * as cluster from "./tables/cluster-tables.ts";
import * as network from "./tables/network-tables.ts";
import { podTable } from "./tables/pod-table.ts";
import * as policy from "./tables/policy-tables.ts";
import * as storage from "./tables/storage-tables.ts";
import { type TableSketch, tablePrinter } from "./tables/table-sketch.ts";
import * as workload from "./tables/workload-tables.ts";

/** By `<group>/<kind>`; kinds that are not listed show when they were created. */
const tables: Readonly<Record<string, TableSketch>> = {
  "/ComponentStatus": cluster.componentStatusTable,
  "/ConfigMap": cluster.configMapTable,
  "/Endpoints": network.endpointsTable,
  "/Event": cluster.eventTable,
  "/Namespace": cluster.namespaceTable,
  "/Node": cluster.nodeTable,
  "/PersistentVolume": storage.volumeTable,
  "/PersistentVolumeClaim": storage.claimTable,
  "/Pod": podTable,
  "/PodTemplate": workload.podTemplateTable,
  "/ReplicationController": workload.replicationControllerTable,
  "/ResourceQuota": cluster.resourceQuotaTable,
  "/Secret": cluster.secretTable,
  "/Service": network.serviceTable,
  "/ServiceAccount": cluster.plainTable,
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": policy.admissionPolicyTable("mutations"),
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": policy.admissionPolicyBindingTable,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": policy.webhookTable,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": policy.admissionPolicyTable("validations"),
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": policy.admissionPolicyBindingTable,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": policy.webhookTable,
  "apiextensions.k8s.io/CustomResourceDefinition": policy.definitionTable,
  "apps/ControllerRevision": workload.controllerRevisionTable,
  "apps/DaemonSet": workload.daemonSetTable,
  "apps/Deployment": workload.deploymentTable,
  "apps/ReplicaSet": workload.replicaSetTable,
  "apps/StatefulSet": workload.statefulSetTable,
  "autoscaling/HorizontalPodAutoscaler": autoscalerTable,
  "batch/CronJob": workload.cronJobTable,
  "batch/Job": workload.jobTable,
  "coordination.k8s.io/Lease": cluster.leaseTable,
  "discovery.k8s.io/EndpointSlice": network.endpointSliceTable,
  "events.k8s.io/Event": cluster.newEventTable,
  "networking.k8s.io/IPAddress": network.ipAddressTable,
  "networking.k8s.io/Ingress": network.ingressTable,
  "networking.k8s.io/IngressClass": network.ingressClassTable,
  "networking.k8s.io/NetworkPolicy": network.networkPolicyTable,
  "networking.k8s.io/ServiceCIDR": network.serviceCidrTable,
  "node.k8s.io/RuntimeClass": cluster.runtimeClassTable,
  "policy/PodDisruptionBudget": workload.disruptionBudgetTable,
  "rbac.authorization.k8s.io/ClusterRoleBinding": policy.bindingTable("clusterRoleBinding"),
  "rbac.authorization.k8s.io/RoleBinding": policy.bindingTable("roleBinding"),
  "scheduling.k8s.io/PriorityClass": cluster.priorityClassTable,
  "storage.k8s.io/CSIDriver": storage.csiDriverTable,
  "storage.k8s.io/CSINode": storage.csiNodeTable,
  "storage.k8s.io/StorageClass": storage.storageClassTable,
  "storage.k8s.io/VolumeAttachment": storage.volumeAttachmentTable,
  "storage.k8s.io/VolumeAttributesClass": storage.volumeAttributesClassTable,
};

/** How kubectl shows a built-in kind; with its schema, columns say what their fields mean. */
export function tableOf(group: string, kind: string, schema?: SchemaNode): TablePrinter {
  return tablePrinter(tables[`${group}/${kind}`] ?? cluster.createdTable, schema);
}
