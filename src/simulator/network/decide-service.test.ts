import { expect, test } from "vitest";
import { printPlan, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { decideIngress, decideLoadBalancer } from "./decide-service.ts";

const service = (spec: object, status: object = { loadBalancer: {} }) =>
  sketch("Service", { name: "web", spec: { clusterIP: "10.105.1.2", ...spec }, status: { ...status } });

test("a load balancer gets an address that no other service has", () => {
  const plan = decideLoadBalancer(service({ type: "LoadBalancer" }));
  expect(statusIn(plan)).toEqual({ loadBalancer: { ingress: [{ ip: "198.19.1.2", ipMode: "VIP" }] } });
});

test("a load balancer that has its address is left alone", () => {
  const status = { loadBalancer: { ingress: [{ ip: "198.19.1.2", ipMode: "VIP" }] } };
  expect(printPlan(decideLoadBalancer(service({ type: "LoadBalancer" }, status)))).toEqual([]);
});

test("a service that is no load balancer any more gives the address back", () => {
  const status = { loadBalancer: { ingress: [{ ip: "198.19.1.2", ipMode: "VIP" }] } };
  expect(statusIn(decideLoadBalancer(service({ type: "ClusterIP" }, status)))).toEqual({ loadBalancer: {} });
});

test("a load balancer of another class is somebody else's", () => {
  expect(printPlan(decideLoadBalancer(service({ type: "LoadBalancer", loadBalancerClass: "example.com/lb" })))).toEqual(
    [],
  );
});

test("an ingress gets the ingress controller's address once", () => {
  const plan = decideIngress(sketch("Ingress", { status: { loadBalancer: {} } }));
  expect(statusIn(plan)).toEqual({ loadBalancer: { ingress: [{ ip: "198.18.0.1" }] } });
  expect(printPlan(decideIngress(sketch("Ingress", { status: statusIn(plan)! })))).toEqual([]);
});
