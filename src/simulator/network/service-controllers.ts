import { selectsLabels } from "#api/meta/label-selector.ts";
import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Controller } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOwn } from "../watch-owned.ts";
import { decideEndpoints, type EndpointFacts, serviceNameLabel } from "./decide-endpoints.ts";
import { decideIngress, decideLoadBalancer } from "./decide-service.ts";

/** Gives load balancers their addresses. */
export function loadBalancerController({ caches, client }: SimulatorParts): Controller<SimulatedObject, Step> {
  const { services } = caches;
  return {
    name: "loadbalancers",
    watches: [watchOwn(services)],
    gather: (key) => services.get(parseKey(key)),
    decide: decideLoadBalancer,
    apply: (step) => applyStep(client, step),
  };
}

/** Gives ingresses their address. */
export function ingressController({ caches, client }: SimulatorParts): Controller<SimulatedObject, Step> {
  const { ingresses } = caches;
  return {
    name: "ingresses",
    watches: [watchOwn(ingresses)],
    gather: (key) => ingresses.get(parseKey(key)),
    decide: decideIngress,
    apply: (step) => applyStep(client, step),
  };
}

/** Keeps the EndpointSlices of every service with a selector. */
export function endpointController({ caches, client }: SimulatorParts): Controller<EndpointFacts, Step> {
  const { services, pods, nodes, endpointSlices } = caches;
  const selecting = (pod: SimulatedObject | undefined) =>
    pod === undefined
      ? []
      : services
          .byIndex("namespace", pod.metadata.namespace ?? "")
          .filter((service) => selects(service, pod))
          .map((service) => printKey(keyOf(service)));
  return {
    name: "endpointslices",
    watches: [
      watchOwn(services),
      watchInformer(pods, ({ before, after }) => [...new Set([...selecting(before), ...selecting(after)])]),
      watchInformer(endpointSlices, ({ before, after }) => {
        const { labels, namespace = "" } = (after ?? before)?.metadata ?? {};
        const name = labels?.[serviceNameLabel];
        return name === undefined ? [] : [printKey({ namespace, name })];
      }),
    ],
    gather(key) {
      const service = services.get(parseKey(key));
      if (service === undefined) return undefined;
      const { namespace = "" } = service.metadata;
      return {
        service,
        pods: pods.byIndex("namespace", namespace).filter((pod) => selects(service, pod)),
        slices: endpointSlices.byIndex("service", key),
        zoneOf: (name) => nodes.get({ name })?.metadata.labels?.["topology.kubernetes.io/zone"],
      };
    },
    decide: decideEndpoints,
    apply: (step) => applyStep(client, step),
  };
}

function selects({ spec }: SimulatedObject, pod: SimulatedObject): boolean {
  return spec["selector"] != null && selectsLabels({ matchLabels: spec["selector"] }, pod.metadata.labels);
}
