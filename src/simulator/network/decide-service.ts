import type { Fields } from "#api/meta/object-meta.ts";
import type { Plan } from "#base/plan.ts";
import { memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps } from "../step.ts";

/** The address at which the simulated member's ingress controller answers. */
const ingressAddress = "198.18.0.1";

/** A service of type LoadBalancer gets an address, any other gives it back. Which load balancer is somebody else's is left to them. */
export function decideLoadBalancer(service: SimulatedObject): Plan<Step> {
  const { spec } = service;
  if (spec["loadBalancerClass"]) return { steps: [] };
  const before: Fields = service.status ?? {};
  const ip = spec["loadBalancerIP"] || addressOf(spec["clusterIP"] ?? "");
  const loadBalancer = spec["type"] === "LoadBalancer" ? { ingress: [{ ip, ipMode: "VIP" }] } : {};
  return { steps: statusSteps(memberResources.services, service, { ...before, loadBalancer }) };
}

/** Every ingress is served at the one address of the ingress controller. */
export function decideIngress(ingress: SimulatedObject): Plan<Step> {
  const loadBalancer = { ingress: [{ ip: ingressAddress }] };
  return { steps: statusSteps(memberResources.ingresses, ingress, { ...ingress.status, loadBalancer }) };
}

/** Cluster addresses are unique in 10.96.0.0/12, so what is made of one is too; 198.18.0.0/15 is nobody's. */
function addressOf(clusterIp: string): string {
  const [, b = 0, c = 0, d = 0] = clusterIp.split(".").map(Number);
  return `198.${18 + (b % 2)}.${c}.${d}`;
}
