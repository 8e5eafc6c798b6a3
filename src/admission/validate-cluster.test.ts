import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import { RawNumber } from "#base/json.ts";
import { clusterErrors } from "./validate-cluster.ts";

const rules = { secretNamespaces: ["karmada-cluster", "vault"] };
const judge = (spec: object, name = "m1") =>
  clusterErrors(
    {
      apiVersion: "cluster.karmada.io/v1alpha1",
      kind: "Cluster",
      metadata: { name, uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
      spec: { syncMode: "Push", ...spec } as Cluster["spec"], // rows write what they are about
    },
    rules,
  ).map(({ path }) => path);

const range = (name: string, min: unknown, max: unknown) => ({ name, min, max });
const unlimited = "9223372036854775807";
const models = (...grades: object[][]) => ({ resourceModels: grades.map((ranges, grade) => ({ grade, ranges })) });

test.each<[string, object, string[]]>([
  ["a plain cluster", {}, []],
  ["an endpoint as a URL", { apiEndpoint: "https://m1.example.com:6443" }, []],
  ["an endpoint as a host and port", { apiEndpoint: "10.0.0.1:6443" }, []],
  ["an endpoint with an IPv6 address", { apiEndpoint: "https://[::1]:6443/" }, []],
  ["an endpoint without a host", { apiEndpoint: "https:///x" }, ["spec.apiEndpoint"]],
  ["an endpoint with a password", { apiEndpoint: "https://a:b@m1" }, ["spec.apiEndpoint"]],
  ["an endpoint with a query", { apiEndpoint: "https://m1?x=1" }, ["spec.apiEndpoint"]],
  ["an endpoint with a fragment", { apiEndpoint: "https://m1#x" }, ["spec.apiEndpoint"]],
  ["an endpoint that ends a header", { apiEndpoint: "https://m1\r\nX: 1" }, ["spec.apiEndpoint"]],
  ["a secret in its place", { secretRef: { namespace: "karmada-cluster", name: "m1" } }, []],
  ["a secret where the operator allows it", { impersonatorSecretRef: { namespace: "vault", name: "m1" } }, []],
  ["a secret elsewhere", { secretRef: { namespace: "default", name: "m1" } }, ["spec.secretRef.namespace"]],
  [
    "an impersonator's secret elsewhere",
    { impersonatorSecretRef: { namespace: "default", name: "m1" } },
    ["spec.impersonatorSecretRef.namespace"],
  ],
  ["a secret without a name", { secretRef: { namespace: "vault", name: "" } }, ["spec.secretRef.name"]],
  ["a secret of no namespace", { secretRef: { namespace: "", name: "a" } }, ["spec.secretRef.namespace"]],
  ["a proxy", { proxyURL: "socks5://p:1080" }, []],
  ["a proxy of another sort", { proxyURL: "ftp://p" }, ["spec.proxyURL"]],
  ["a proxy without a scheme", { proxyURL: "p" }, ["spec.proxyURL"]],
  ["zone and zones", { zone: "a", zones: ["b"] }, ["spec.zones"]],
  [
    "places by which nobody could select",
    { provider: "a b", region: "-", zones: ["ok", "?"] },
    ["spec.provider", "spec.region", "spec.zones[1]"],
  ],
  [
    "one taint twice",
    {
      taints: [
        { key: "a", effect: "NoExecute" },
        { key: "a", effect: "NoExecute", value: "x" },
      ],
    },
    ["spec.taints[1]"],
  ],
  [
    "one key with two effects",
    {
      taints: [
        { key: "a", effect: "NoExecute" },
        { key: "a", effect: "NoSchedule" },
      ],
    },
    [],
  ],
  [
    "a taint that is none",
    { taints: [{ key: "a b", effect: "Never", value: "?" }] },
    ["spec.taints[0].key", "spec.taints[0].value", "spec.taints[0].effect"],
  ],
  ["one grade", models([range("cpu", "0", unlimited)]), []],
  [
    "two grades that touch in other words",
    models([range("cpu", "0", "1")], [range("cpu", "1000m", new RawNumber(unlimited))]),
    [],
  ],
  [
    "a grade twice",
    {
      resourceModels: [
        { grade: 1, ranges: [] },
        { grade: 1, ranges: [] },
      ],
    },
    ["spec.resourceModels"],
  ],
  [
    "grades of different resources",
    models([range("cpu", "0", "1")], [range("memory", "1", unlimited)]),
    ["spec.resourceModels"],
  ],
  ["grades of different numbers of resources", models([range("cpu", "0", "1")], []), ["spec.resourceModels"]],
  ["a gap between grades", models([range("cpu", "0", "1")], [range("cpu", "2", unlimited)]), ["spec.resourceModels"]],
  ["a first grade that begins above nothing", models([range("cpu", "1", unlimited)]), ["spec.resourceModels"]],
  ["a last grade that ends", models([range("cpu", "0", "1")]), ["spec.resourceModels"]],
  ["a grade that is empty", models([range("cpu", "0", "0")]), ["spec.resourceModels"]],
  ["a resource that no node has", models([range("love", "0", unlimited)]), ["spec.resourceModels.ranges.name"]],
])("%s", (_name, spec, paths) => {
  expect(judge(spec)).toEqual(paths);
});

test.each([
  ["m1", true],
  ["a".repeat(48), true],
  ["a".repeat(49), false],
  ["a.b", false],
  ["A", false],
  ["", false],
])("a cluster called %j: %s", (name, legal) => {
  expect(judge({}, name).length === 0).toBe(legal);
});
