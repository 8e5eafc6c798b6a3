import type { Cluster } from "#api/cluster/cluster.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { printKey, type ResourceId } from "#api/meta/resource-id.ts";
import { parseQuantity, printQuantity, type Quantity } from "#base/quantity.ts";
import { podRequests } from "#controllers/cluster-status/resource-summary.ts";
import type { Difference } from "#runtime/forked-informer.ts";
import { replicasOf } from "./pod-effects.ts";

const workloads: ReadonlySet<string> = new Set([
  "apps/deployments",
  "apps/statefulsets",
  "apps/replicasets",
  "apps/daemonsets",
  "/replicationcontrollers",
  "/pods",
]);

/** Whether what is of this kind has pods, as far as a plan knows. */
export function takesRoom({ group, resource }: ResourceId): boolean {
  return workloads.has(`${group}/${resource}`);
}

/** More of each resource than before, or less. */
export type RoomTaken = ReadonlyMap<string, Quantity>;

/** What the copies in one member ask for, beside what they asked for when somebody wanted to know last. */
export class PlannedRoom {
  readonly #touched = new Map<string, Difference<ApiObject>>();

  note({ before, after }: Difference<ApiObject>): void {
    const { kind, metadata } = (after ?? before)!;
    const key = `${kind} ${printKey(metadata)}`;
    const known = this.#touched.get(key);
    this.#touched.set(key, { before: known === undefined ? before : known.before, after });
  }

  take(): RoomTaken {
    const taken = new Map<string, Quantity>();
    for (const { before, after } of this.#touched.values()) {
      if (before !== undefined && after !== undefined && isAlike(before, after)) continue;
      if (after !== undefined) add(taken, after, 1n);
      if (before !== undefined) add(taken, before, -1n);
    }
    this.#touched.clear();
    for (const [name, { nanos }] of taken) if (nanos === 0n) taken.delete(name);
    return taken;
  }
}

/** A cluster as it reports itself once its pods are there, or gone. What its nodes are like by then is known to itself alone. */
export function withRoomTaken(cluster: Cluster, taken: RoomTaken): Cluster {
  const summary = cluster.status?.resourceSummary;
  if (summary === undefined) return cluster;
  const allocated: Record<string, string | number> = { ...summary.allocated };
  for (const [name, more] of taken) {
    const known = parseQuantity(String(allocated[name] ?? "0"));
    const nanos = (known?.nanos ?? 0n) + more.nanos;
    allocated[name] = printQuantity({ nanos, format: known?.nanos ? known.format : more.format });
  }
  return { ...cluster, status: { ...cluster.status, resourceSummary: { ...summary, allocated } } };
}

function add(taken: Map<string, Quantity>, workload: ApiObject, sign: bigint): void {
  const pods = podsOf(workload);
  if (pods === 0) return;
  const times = sign * BigInt(pods);
  const spec = podSpecOf(workload);
  for (const [name, { nanos, format }] of asksForPlacesAlone(spec) ? places : podRequests(withLimits(spec))) {
    const known = taken.get(name);
    taken.set(name, { nanos: (known?.nanos ?? 0n) + times * nanos, format: known?.format ?? format });
  }
}

/** Whether a change is none of the room: as many pods, that ask for the same as far as can be seen at once. */
function isAlike(before: ApiObject, after: ApiObject): boolean {
  if (podsOf(before) !== podsOf(after)) return false;
  const [was, is] = [podSpecOf(before), podSpecOf(after)];
  return asksForPlacesAlone(was) && asksForPlacesAlone(is);
}

function podsOf(workload: ApiObject): number {
  const { phase } = (workload as Fields)["status"] ?? {};
  return phase === "Succeeded" || phase === "Failed" ? 0 : (replicasOf(workload) ?? 0);
}

function podSpecOf(workload: ApiObject): Fields {
  const { spec } = workload as Fields;
  return (workload.kind === "Pod" ? spec : spec?.template?.spec) ?? {};
}

/** What every pod asks for. */
const places: RoomTaken = podRequests({});

/** Whether pods ask for nothing else: most do, and there may be very many. */
function asksForPlacesAlone({ containers = [], initContainers = [], overhead }: Fields): boolean {
  return overhead === undefined && containers.every(asksForNothing) && initContainers.every(asksForNothing);
}

function asksForNothing({ resources }: Fields): boolean {
  return resources === undefined || (resources.requests === undefined && resources.limits === undefined);
}

/** Who says only how much he may have asks for as much. */
function withLimits(spec: Fields): { readonly spec: Fields } {
  const filled = (containers: readonly Fields[] = []) =>
    containers.map(({ resources }) => ({ resources: { requests: { ...resources?.limits, ...resources?.requests } } }));
  const { containers, initContainers } = spec;
  return { spec: { ...spec, containers: filled(containers), initContainers: filled(initContainers) } };
}
