import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { type IndexFunction, LiveInformer } from "#runtime/informer.ts";
import { type MemberResource, memberResources } from "./member-resources.ts";
import { isPodEnded } from "./pods/pod-counts.ts";
import { controllerOf, type SimulatedObject } from "./simulated-object.ts";

export type Cache = LiveInformer<SimulatedObject>;
/** A local copy of everything in the member that the simulation looks at. */
export type Caches = Readonly<Record<MemberResource, Cache>>;

type Index = IndexFunction<SimulatedObject>;
/** By the uid of the controller. */
const owner: Index = (object) => {
  const controller = controllerOf(object);
  return controller === undefined ? [] : [controller.uid];
};
/** Objects without a controller, by namespace: what may be adopted. */
const orphans: Index = (object) => (controllerOf(object) === undefined ? [object.metadata.namespace ?? ""] : []);
const namespace: Index = ({ metadata }) => [metadata.namespace ?? ""];
const node: Index = ({ spec }) => (spec["nodeName"] ? [spec["nodeName"]] : []);
/** Under "": pods that no node runs and that could still be run. */
const unscheduled: Index = (pod) => (pod.spec["nodeName"] || isPodEnded(pod) ? [] : [""]);
const claim: Index = ({ spec }) => (spec["claimRef"] ? [`${spec["claimRef"].namespace}/${spec["claimRef"].name}`] : []);
const service: Index = ({ metadata }) => {
  const name = metadata.labels?.["kubernetes.io/service-name"];
  return name === undefined ? [] : [`${metadata.namespace}/${name}`];
};

const indexes: Readonly<Partial<Record<MemberResource, Readonly<Record<string, Index>>>>> = {
  pods: { owner, orphans, namespace, node, unscheduled },
  replicaSets: { owner, orphans, namespace },
  controllerRevisions: { owner },
  jobs: { owner },
  services: { namespace },
  podDisruptionBudgets: { namespace },
  horizontalPodAutoscalers: { namespace },
  deployments: { namespace },
  statefulSets: { namespace },
  daemonSets: { namespace },
  replicationControllers: { namespace },
  persistentVolumes: { claim },
  endpointSlices: { service },
};

export interface CacheNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createCaches({ client, clock, log }: CacheNeeds): Caches {
  const entries = Object.entries(memberResources).map(([name, resource]) => [
    name,
    new LiveInformer<SimulatedObject>({ client, clock, log, resource, indexes: indexes[name as MemberResource] ?? {} }),
  ]);
  return Object.fromEntries(entries) as Caches; // one for each resource
}
