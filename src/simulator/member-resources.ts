import type { ResourceId } from "#api/meta/resource-id.ts";

/** What the simulator reads and writes in a member, by plural name. */
export const memberResources = {
  nodes: { ...served("v1/nodes", "Node"), namespaced: false },
  pods: served("v1/pods", "Pod"),
  replicationControllers: served("v1/replicationcontrollers", "ReplicationController"),
  services: served("v1/services", "Service"),
  persistentVolumeClaims: served("v1/persistentvolumeclaims", "PersistentVolumeClaim"),
  persistentVolumes: { ...served("v1/persistentvolumes", "PersistentVolume"), namespaced: false },
  deployments: served("apps/v1/deployments", "Deployment"),
  replicaSets: served("apps/v1/replicasets", "ReplicaSet"),
  statefulSets: served("apps/v1/statefulsets", "StatefulSet"),
  daemonSets: served("apps/v1/daemonsets", "DaemonSet"),
  controllerRevisions: served("apps/v1/controllerrevisions", "ControllerRevision"),
  jobs: served("batch/v1/jobs", "Job"),
  cronJobs: served("batch/v1/cronjobs", "CronJob"),
  endpointSlices: served("discovery.k8s.io/v1/endpointslices", "EndpointSlice"),
  ingresses: served("networking.k8s.io/v1/ingresses", "Ingress"),
  podDisruptionBudgets: served("policy/v1/poddisruptionbudgets", "PodDisruptionBudget"),
  horizontalPodAutoscalers: served("autoscaling/v2/horizontalpodautoscalers", "HorizontalPodAutoscaler"),
} as const satisfies Readonly<Record<string, ResourceId>>;

export type MemberResource = keyof typeof memberResources;

/** `apps/v1` and the like, as objects carry it. */
export function apiVersionOf({ group, version }: ResourceId): string {
  return group === "" ? version : `${group}/${version}`;
}

function served(path: string, kind: string): ResourceId {
  const [resource = "", version = "", group = ""] = path.split("/").toReversed();
  return { group, version, resource, kind, namespaced: true };
}
