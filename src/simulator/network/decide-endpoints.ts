import type { Fields } from "#api/meta/object-meta.ts";
import { compareBytes } from "#base/byte-order.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import type { NewObject } from "#client/client.ts";
import { memberResources } from "../member-resources.ts";
import { isPodEnded, isPodReady } from "../pods/pod-counts.ts";
import { controlledBy, isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { contentHash } from "../stable-hash.ts";
import { type Step, together } from "../step.ts";

export interface EndpointFacts {
  readonly service: SimulatedObject;
  /** The pods that its selector selects. */
  readonly pods: readonly SimulatedObject[];
  readonly slices: readonly SimulatedObject[];
  readonly zoneOf: (node: string) => string | undefined;
}

const { endpointSlices: resource, services } = memberResources;
const endpointsPerSlice = 100;
const manager = "endpointslice-controller.k8s.io";
export const serviceNameLabel = "kubernetes.io/service-name";
const managerLabel = "endpointslice.kubernetes.io/managed-by";

/** The slices of a service list the pods that it leads to: ready, or about to be, or on their way out. */
export function decideEndpoints(facts: EndpointFacts): Plan<Step> {
  const { service } = facts;
  const own = facts.slices.filter(({ metadata }) => metadata.labels?.[managerLabel] === manager);
  const served =
    service.spec["selector"] != null && service.spec["type"] !== "ExternalName" && !isBeingDeleted(service);
  const wanted = served ? slicesOf(facts) : [];
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const gone = own
    .filter(({ metadata }) => !names.has(metadata.name))
    .map((object): Step => ({ do: "delete", resource, object, because: "no endpoint needs it" }));
  const puts = wanted.flatMap((slice) => putSlice(slice, own));
  return { steps: together([...puts, ...gone]) };
}

function putSlice(slice: Slice, own: readonly SimulatedObject[]): readonly Step[] {
  const present = own.find(({ metadata }) => metadata.name === slice.metadata.name);
  if (present === undefined) return [{ do: "create", resource, object: slice }];
  const { endpoints, ports } = slice;
  const same = jsonEquals(present["endpoints"] ?? [], endpoints) && jsonEquals(present["ports"] ?? [], ports);
  return same ? [] : [{ do: "update", resource, object: { ...present, endpoints, ports } }];
}

interface Slice extends NewObject {
  readonly endpoints: readonly Fields[];
  readonly ports: readonly Fields[];
}

function slicesOf(facts: EndpointFacts): readonly Slice[] {
  const { service, pods } = facts;
  const { name, namespace, uid } = service.metadata;
  const reachable = pods
    .filter((pod) => pod.status?.["podIP"] && !isPodEnded(pod))
    .toSorted((a, b) => compareBytes(a.metadata.name, b.metadata.name));
  const ports = portsOf(service, reachable);
  const endpoints = reachable.map((pod) => endpointOf(facts, pod));
  const count = Math.max(Math.ceil(endpoints.length / endpointsPerSlice), 1);
  const headless = service.spec["clusterIP"] === "None" ? { "service.kubernetes.io/headless": "" } : {};
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: `${name}-${contentHash([uid, index]).slice(0, 5)}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...service.metadata.labels, ...headless, [managerLabel]: manager, [serviceNameLabel]: name },
      ownerReferences: [controlledBy(services, service)],
    },
    addressType: "IPv4",
    endpoints: endpoints.slice(index * endpointsPerSlice, (index + 1) * endpointsPerSlice),
    ports,
  }));
}

function endpointOf({ service, zoneOf }: EndpointFacts, pod: SimulatedObject): Fields {
  const { name, namespace, uid } = pod.metadata;
  const node: string = pod.spec["nodeName"];
  const zone = zoneOf(node);
  const serving = isPodReady(pod);
  const terminating = isBeingDeleted(pod);
  const ready = service.spec["publishNotReadyAddresses"] === true || (serving && !terminating);
  const named = pod.spec["hostname"] && pod.spec["subdomain"] === service.metadata.name;
  return {
    addresses: [pod.status?.["podIP"]],
    conditions: { ready, serving, terminating },
    ...(named ? { hostname: pod.spec["hostname"] } : {}),
    nodeName: node,
    targetRef: { kind: "Pod", name, namespace, uid },
    ...(zone === undefined ? {} : { zone }),
  };
}

/** A port that is named in the pods is found in the first of them; what no pod has leads nowhere. */
function portsOf({ spec }: SimulatedObject, pods: readonly SimulatedObject[]): readonly Fields[] {
  const ports: readonly Fields[] = spec["ports"] ?? [];
  return ports.flatMap((port) => {
    const target = port["targetPort"] ?? port["port"];
    const number = typeof target === "string" ? namedPort(target, pods) : target;
    if (number === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = port;
    return [{ name, protocol, port: number, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function namedPort(name: string, pods: readonly SimulatedObject[]): number | undefined {
  for (const { spec } of pods) {
    const containers: readonly Fields[] = spec["containers"] ?? [];
    const ports = containers.flatMap((container): readonly Fields[] => container["ports"] ?? []);
    const found = ports.find((port) => port["name"] === name);
    if (found !== undefined) return found["containerPort"];
  }
  return undefined;
}
