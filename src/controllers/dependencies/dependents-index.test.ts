import { describe, expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { DependentsIndex } from "./dependents-index.ts";

function service(name: string, selector: Record<string, string> | undefined, namespace = "shop"): ApiObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { selector },
  } as unknown as ApiObject;
}

function ingress(name: string, backend: string, namespace = "shop"): ApiObject {
  const metadata = { name, namespace };
  const spec = { defaultBackend: { service: { name: backend, port: { number: 80 } } } };
  return { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata, spec } as unknown as ApiObject;
}

const web = { namespace: "shop", podLabels: { app: "web", tier: "front" } };
const api = { namespace: "shop", podLabels: { app: "api", tier: "front" } };
const other = { namespace: "other", podLabels: { app: "web" } };

function open() {
  const index = new DependentsIndex();
  index.follow("shop/web", web);
  index.follow("shop/api", api);
  index.follow("other/web", other);
  const change = (before: ApiObject | undefined, after: ApiObject | undefined) =>
    index.accept({ before, after }).toSorted();
  const add = (object: ApiObject) => change(undefined, object);
  const following = (key: string, pods: typeof web | typeof api) =>
    index.follow(key, pods).map(({ kind, name }) => `${kind} ${name}`);
  return { index, change, add, following };
}

describe("a change wakes the workloads that it concerns and no others", () => {
  test.each<[string, ApiObject, readonly string[]]>([
    ["a Service of one workload", service("s", { app: "web" }), ["shop/web"]],
    ["a Service of several", service("s", { tier: "front" }), ["shop/api", "shop/web"]],
    ["one that asks for more than a workload has", service("s", { app: "web", tier: "back" }), []],
    ["one without a selector", service("s", undefined), []],
    ["one of another namespace", service("s", { app: "web" }, "other"), ["other/web"]],
    ["an Ingress to nothing", ingress("i", "s"), []],
    ["any other kind", { ...service("s", { app: "web" }), kind: "ConfigMap" }, []],
  ])("%s", (_, object, expected) => {
    expect(open().add(object)).toEqual(expected);
  });

  test("a Service that selects otherwise concerns both, one that only opens a port nobody", () => {
    const { add, change } = open();
    const before = service("s", { app: "web" });
    add(before);
    expect(change(before, service("s", { app: "api" }))).toEqual(["shop/api", "shop/web"]);
    expect(change(service("s", { app: "api" }), { ...service("s", { app: "api" }), status: {} })).toEqual([]);
    expect(change(service("s", { app: "api" }), undefined)).toEqual(["shop/api"]);
  });

  test("an Ingress concerns the workloads behind the Services that it routes to, or did", () => {
    const { add, change } = open();
    add(service("s", { app: "web" }));
    add(service("t", { app: "api" }));
    expect(add(ingress("i", "s"))).toEqual(["shop/web"]);
    expect(change(ingress("i", "s"), ingress("i", "t"))).toEqual(["shop/api", "shop/web"]);
    expect(change(ingress("i", "t"), undefined)).toEqual(["shop/api"]);
    expect(add(ingress("i", "s", "other"))).toEqual([]);
  });

  test("what no longer follows anybody wakes nobody", () => {
    const { index, add } = open();
    index.follow("shop/web", undefined);
    expect(add(service("s", { app: "web" }))).toEqual([]);
  });
});

test("a workload is followed by its Services and the Ingresses to them, as they come and go", () => {
  const { add, change, following } = open();
  add(ingress("i", "s"));
  expect(following("shop/web", web)).toEqual([]);
  add(service("s", { app: "web" }));
  add(service("all", { tier: "front" }));
  expect(following("shop/web", web)).toEqual(["Ingress i", "Service all", "Service s"]);
  expect(following("shop/api", api)).toEqual(["Service all"]);
  change(service("s", { app: "web" }), undefined);
  expect(following("shop/web", web)).toEqual(["Service all"]);
});
