import { labelRequirementsOf } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { decideClaims } from "../claim.ts";
import { memberResources } from "../member-resources.ts";
import { countPods, isPodEnded, isPodReady, untilAvailable } from "../pods/pod-counts.ts";
import { isBeingDeleted, oldestFirst, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps, together } from "../step.ts";
import { daemonFit, daemonNodeOf, daemonPodCreation } from "./daemon-pod.ts";
import { decideHistory, type History, revisionHashLabel, trimHistory } from "./revision-history.ts";
import { resolveCount } from "./rollout-limits.ts";

export interface DaemonSetFacts {
  readonly set: SimulatedObject;
  readonly nodes: readonly SimulatedObject[];
  readonly pods: readonly SimulatedObject[];
  readonly orphans: readonly SimulatedObject[];
  readonly revisions: readonly SimulatedObject[];
  readonly nowMs: number;
}

const { daemonSets: resource, pods: podResource } = memberResources;

/** One pod on each node that fits. */
export function decideDaemonSet(facts: DaemonSetFacts): Plan<Step> {
  const { set, nodes, revisions, nowMs } = facts;
  const claims = decideClaims({
    ownerResource: resource,
    owner: set,
    selector: labelRequirementsOf(set.spec["selector"] ?? {}),
    resource: podResource,
    owned: facts.pods,
    orphans: facts.orphans,
  });
  if (claims.steps.length > 0) return { steps: together(claims.steps) };
  const history = decideHistory({ resource, owner: set, revisions });
  if (history.steps.length > 0 && !isBeingDeleted(set)) return { steps: history.steps };
  const pods = claims.claimed;
  const places = nodes.map((node) => placeOf(set, node, pods));
  const acting = isBeingDeleted(set) ? [] : decideDaemonPods(set, places, history);
  if (acting.length > 0) return { steps: together(acting) };
  const strays = pods.filter((pod) => !nodes.some(({ metadata }) => metadata.name === daemonNodeOf(pod)));
  const kept = places.flatMap(({ run, pod }) => (run && pod !== undefined ? [pod] : []));
  const counts = countPods(kept, { minReadySeconds: set.spec["minReadySeconds"], nowMs });
  const status = daemonSetStatus(set, {
    desired: places.filter(({ run }) => run).length,
    scheduled: kept.length,
    misscheduled: places.filter(({ run, pod }) => !run && pod !== undefined).length + strays.length,
    updated: kept.filter((pod) => revisionOf(pod) === history.hash).length,
    ready: counts.ready,
    available: counts.available,
  });
  const trimmed = trimHistory({ resource, owner: set, revisions }, new Set([...pods.map(revisionOf), history.hash]));
  const steps = [...statusSteps(resource, set, status), ...trimmed];
  return { steps, ...untilAvailable(counts, nowMs) };
}

interface Place {
  readonly node: SimulatedObject;
  readonly run: boolean;
  readonly stay: boolean;
  /** The pod that serves the node. */
  readonly pod: SimulatedObject | undefined;
  /** Others that have ended or are too many. */
  readonly surplus: readonly SimulatedObject[];
  /** One that is on its way out still has the place. */
  readonly leaving: boolean;
}

function placeOf(set: SimulatedObject, node: SimulatedObject, pods: readonly SimulatedObject[]): Place {
  const here = pods.filter((pod) => daemonNodeOf(pod) === node.metadata.name).toSorted(oldestFirst);
  const staying = here.filter((pod) => !isBeingDeleted(pod));
  const [pod, ...more] = staying.filter((each) => !isPodEnded(each));
  return {
    node,
    ...daemonFit(set, node),
    pod,
    surplus: [...more, ...staying.filter(isPodEnded)],
    leaving: here.length > staying.length,
  };
}

function decideDaemonPods(set: SimulatedObject, places: readonly Place[], history: History): readonly Step[] {
  const moves = places.flatMap(({ node, run, stay, pod, surplus, leaving }): readonly Step[] => [
    ...surplus.map((each) => removal(each, "another serves the node")),
    ...(run && pod === undefined && !leaving ? [daemonPodCreation(set, node, history.hash)] : []),
    ...(!stay && pod !== undefined ? [removal(pod, "the node does not fit any more")] : []),
  ]);
  return moves.length > 0 ? moves : roll(set, places, history);
}

/** Old pods go as long as not too many nodes are without one; those that are not ready anyway go at once. */
function roll(set: SimulatedObject, places: readonly Place[], history: History): readonly Step[] {
  const { type, rollingUpdate = {} } = set.spec["updateStrategy"] ?? {};
  if (type !== "RollingUpdate") return [];
  const wanted = places.filter(({ run }) => run);
  const limit = resolveCount(rollingUpdate.maxUnavailable ?? 1, wanted.length, Math.ceil);
  const surge = resolveCount(rollingUpdate.maxSurge ?? 0, wanted.length, Math.ceil);
  const old = wanted.flatMap(({ pod }) => (pod !== undefined && revisionOf(pod) !== history.hash ? [pod] : []));
  const unavailable = wanted.filter(({ pod }) => pod === undefined || !isPodReady(pod)).length;
  const idle = old.filter((pod) => !isPodReady(pod));
  const serving = old.filter(isPodReady);
  const budget = Math.max(Math.max(limit, surge, 1) - unavailable, 0);
  return [...idle, ...serving.slice(0, budget)].map((pod) => removal(pod, "its template is old"));
}

export interface DaemonCounts {
  readonly desired: number;
  readonly scheduled: number;
  readonly misscheduled: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

/** The status of a DaemonSet with these pods, in real and in counted mode alike. */
export function daemonSetStatus({ metadata }: SimulatedObject, counts: DaemonCounts): Fields {
  const unavailable = counts.desired - counts.available;
  return {
    currentNumberScheduled: counts.scheduled,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: metadata.generation ?? 1,
    ...(counts.updated > 0 ? { updatedNumberScheduled: counts.updated } : {}),
    ...(counts.available > 0 ? { numberAvailable: counts.available } : {}),
    ...(unavailable > 0 ? { numberUnavailable: unavailable } : {}),
  };
}

function revisionOf({ metadata }: SimulatedObject): string {
  return metadata.labels?.[revisionHashLabel] ?? "";
}

function removal(object: SimulatedObject, because: string): Step {
  return { do: "delete", resource: podResource, object, because };
}
