import type { Manifest } from "#api/meta/manifest.ts";
import type { ReplicaRequirements } from "#api/work/replica-requirements.ts";
import type { JsonObject } from "#base/json.ts";
import { countAt, integerAt, objectAt, textMapAt, valueAt, withValueAt } from "./fields.ts";
import { podRequests } from "./pod-requests.ts";

/** How many replicas an object asks for, and what one of them needs. */
export interface ReplicaDemand {
  readonly replicas: number;
  /** Absent when a replica needs nothing in particular. */
  readonly requirements?: ReplicaRequirements;
}

/** Reads how many replicas an object asks for; what one of them needs is read apart, which costs more. */
export interface ReadReplicas {
  readonly count: (object: Manifest) => number;
  readonly requirements: (object: Manifest) => ReplicaRequirements | undefined;
}
export type ReviseReplicas = (object: Manifest, replicas: number) => Manifest;

/** Workloads whose number of replicas stands in one field beside their pod template. */
export function replicasIn(field: string): ReadReplicas {
  return {
    count: (object) => countAt(object, field),
    requirements: (object) => requirementsOfPod(objectAt(object, "spec.template.spec")),
  };
}

/** A job runs as many pods at a time as it may, and never more than it needs. */
export const jobReplicas: ReadReplicas = {
  ...replicasIn("spec.parallelism"),
  count(object) {
    const parallelism = countAt(object, "spec.parallelism");
    return Math.min(parallelism, integerAt(object, "spec.completions") ?? parallelism);
  },
};

/** A pod is one replica of itself. */
export const podReplicas: ReadReplicas = {
  count: () => 1,
  requirements: (object) => requirementsOfPod(objectAt(object, "spec")),
};

/** The whole demand of an object. */
export function demandOf(object: Manifest, { count, requirements: read }: ReadReplicas): ReplicaDemand {
  const replicas = count(object);
  const requirements = read(object);
  return requirements === undefined ? { replicas } : { replicas, requirements };
}

/** Sets the field, where the template has it. */
export function reviseIn(field: string): ReviseReplicas {
  return (object, replicas) =>
    integerAt(object, field) === undefined || valueAt(object, field) === replicas
      ? object
      : withValueAt(object, { path: field, value: replicas });
}

/** What a pod needs; undefined when it needs nothing in particular. */
export function requirementsOfPod(podSpec: JsonObject): ReplicaRequirements | undefined {
  const nodeClaim = nodeClaimOf(podSpec);
  const resourceRequest = podRequests(podSpec);
  if (nodeClaim === undefined && resourceRequest === undefined) return undefined;
  return { ...(nodeClaim !== undefined && { nodeClaim }), ...(resourceRequest !== undefined && { resourceRequest }) };
}

type NodeClaim = NonNullable<ReplicaRequirements["nodeClaim"]>;

/** The parts of a pod spec are the parts of the claim: Kubernetes' own types on both sides. */
function nodeClaimOf(podSpec: JsonObject): NodeClaim | undefined {
  const nodeSelector = textMapAt(podSpec, "nodeSelector");
  const required = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  const hardNodeAffinity = valueAt(podSpec, required);
  const tolerations = valueAt(podSpec, "tolerations");
  const tolerates = Array.isArray(tolerations) && tolerations.length > 0;
  if (nodeSelector === undefined && hardNodeAffinity === undefined && !tolerates) return undefined;
  const claim: object = {
    ...(hardNodeAffinity !== undefined && { hardNodeAffinity }),
    ...(nodeSelector !== undefined && Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerates && { tolerations }),
  };
  return claim as NodeClaim; // copied from a pod spec, which the API server has checked
}
