import type { ReplicaRequirements } from "#api/work/replica-requirements.ts";
import { type Amount, type ClusterCapacity, type NodeGrade, readAmounts } from "./cluster-capacity.ts";

/** What one replica asks for, made ready to be compared with many clusters. */
export type ReplicaRequest = readonly (Amount & { readonly resource: string })[];

/** No estimate is larger: replicas are counted in 32 bits. */
export const maxReplicas = 2 ** 31 - 1;
/** Kubernetes' own limit for a node; a model does not know a better one. */
const podsPerNode = 110;

/** Reads the request of one replica once; undefined when there are no requirements at all. Resources that are not asked for are left out. */
export function compileRequest(requirements: ReplicaRequirements | undefined): ReplicaRequest | undefined {
  if (requirements === undefined) return undefined;
  return [...readAmounts(requirements.resourceRequest)]
    .filter(([, amount]) => amount.whole > 0)
    .map(([resource, amount]) => ({ resource, ...amount }));
}

/**
 * How many more replicas fit into a cluster, judged by the summary in its status alone.
 *
 * Upstream: karmada pkg/estimator/client/general.go.
 */
export function estimateReplicas(capacity: ClusterCapacity | undefined, request: ReplicaRequest | undefined): number {
  if (capacity === undefined || capacity.pods === 0) return 0;
  const room = request === undefined ? maxReplicas : roomFor(capacity, request);
  return Math.min(capacity.pods, room, maxReplicas);
}

function roomFor({ left, grades }: ClusterCapacity, request: ReplicaRequest): number {
  if (grades !== undefined) return grades.reduce((sum, grade) => sum + grade.count * roomOnNode(grade, request), 0);
  return Math.min(...request.map((asked) => Math.max(0, timesInto(left.get(asked.resource), asked))), maxReplicas);
}

function roomOnNode({ offers }: NodeGrade, request: ReplicaRequest): number {
  const rooms = request
    .filter(({ resource }) => isNodeResource(resource))
    .map((asked) => timesInto(offers.get(asked.resource), asked));
  return Math.min(...rooms, podsPerNode);
}

/** CPU is counted in thousandths, everything else in whole units. */
function timesInto(offered: Amount | undefined, asked: Amount & { readonly resource: string }): number {
  if (offered === undefined || offered.whole <= 0) return 0;
  return asked.resource === "cpu"
    ? Math.floor(offered.thousandths / asked.thousandths)
    : Math.floor(offered.whole / asked.whole);
}

const nativeNodeResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Whether a node is measured by the resource; upstream's simulated nodes know no others and let them pass. */
function isNodeResource(resource: string): boolean {
  if (nativeNodeResources.has(resource)) return true;
  if (resource.startsWith("hugepages-") || resource.startsWith("attachable-volumes-")) return true;
  return resource.includes("kubernetes.io/") || (resource.includes("/") && !resource.startsWith("requests."));
}
