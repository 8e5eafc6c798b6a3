import { expect, test } from "vitest";
import type { Manifest } from "#api/meta/manifest.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import { dependentsOf, podLabelsOf } from "./dependents.ts";

const serviceOf = (name: string, selector?: Record<string, string>): Manifest => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
  spec: { selector },
});
const ingressOf = (name: string, service: string, where: "default" | "rule" = "rule"): Manifest => {
  const backend = { service: { name: service, port: { number: 80 } } };
  const spec = where === "default" ? { defaultBackend: backend } : { rules: [{ http: { paths: [{ backend }] } }] };
  return { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name, namespace: "default" }, spec };
};

test("services that select the pods follow them, and ingresses that route to such services", () => {
  const services = [
    serviceOf("b", { app: "web" }),
    serviceOf("a", { app: "web", tier: "x" }),
    serviceOf("none"),
    serviceOf("other", { app: "db" }),
    serviceOf("empty", {}),
  ];
  const ingresses = [ingressOf("i2", "b", "default"), ingressOf("i1", "b"), ingressOf("i3", "other")];
  const dependents = dependentsOf(deepFreeze({ app: "web" }), deepFreeze({ services, ingresses }));
  expect(dependents.map(({ object, because }) => [object.metadata.name, because])).toEqual([
    ["i1", { routesTo: "b" }],
    ["i2", { routesTo: "b" }],
    ["b", { selects: "pods" }],
  ]);
});

test("what is not of its kind's shape follows nobody", () => {
  const broken = { ...serviceOf("x"), spec: "?" };
  const ingress = { ...ingressOf("i", "x"), spec: { rules: "?" } };
  expect(dependentsOf({ app: "web" }, { services: [broken], ingresses: [ingress] })).toEqual([]);
});

test.each([
  ["Deployment", { spec: { template: { metadata: { labels: { a: "1" } } } } }],
  ["CronJob", { spec: { jobTemplate: { spec: { template: { metadata: { labels: { a: "1" } } } } } } }],
])("the pods of a %s have the labels of its template", (kind, rest) => {
  expect(podLabelsOf({ apiVersion: "x/v1", kind, metadata: { name: "x" }, ...rest })).toEqual({ a: "1" });
});

test("a pod's labels are its own, and what makes no pods has none", () => {
  expect(podLabelsOf({ apiVersion: "v1", kind: "Pod", metadata: { name: "x", labels: { a: "1" } } })).toEqual({
    a: "1",
  });
  expect(podLabelsOf({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } })).toBeUndefined();
});
