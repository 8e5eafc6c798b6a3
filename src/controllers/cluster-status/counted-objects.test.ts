import { expect, test } from "vitest";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { countedNode, countedPod } from "./counted-objects.ts";
import { summarize } from "./resource-summary.ts";

const metadata = (name: string) => ({
  name,
  namespace: "shop",
  uid: name,
  resourceVersion: "1",
  creationTimestamp: "2026-01-01T00:00:00Z",
  managedFields: [{ manager: "kubelet" }],
});
const asks = (cpu: string) => ({ name: "c", image: "nginx", env: [{ name: "A" }], resources: { requests: { cpu } } });
const pods: readonly ApiObject[] = [
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata("a"),
    spec: {
      nodeName: "n",
      containers: [asks("1"), { name: "d" }],
      initContainers: [asks("3")],
      overhead: { cpu: "5m" },
    },
    status: { phase: "Running", podIP: "10.0.0.1" },
  },
  { apiVersion: "v1", kind: "Pod", metadata: metadata("b"), spec: { containers: [asks("2")] } },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata("c"),
    spec: { nodeName: "n", containers: [asks("9")] },
    status: { phase: "Failed" },
  },
];
const node: ApiObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: metadata("n"),
  spec: { podCIDR: "10.0.0.0/24" },
  status: {
    allocatable: { cpu: "8" },
    images: [{ names: ["nginx"] }],
    conditions: [
      { type: "Ready", status: "True", message: "ready" },
      { type: "DiskPressure", status: "False" },
    ],
  },
};
const models = [
  { grade: 0, ranges: [{ name: "cpu", min: "0", max: "2" }] },
  { grade: 1, ranges: [{ name: "cpu", min: "2", max: "64" }] },
] as unknown as Parameters<typeof summarize>[0]["models"]; // as a Cluster has them

test("a summary is the same of what is kept as of the whole", () => {
  const sum = (objects: readonly ApiObject[], of: ApiObject) =>
    summarize({ pods: objects as readonly Fields[], nodes: [of] as readonly Fields[], models });
  expect(sum(pods.map(countedPod), countedNode(node))).toEqual(sum(pods, node));
  expect(sum(pods, node).nodeSummary).toEqual({ totalNum: 1, readyNum: 1 });
});

test("nothing else is kept", () => {
  expect(JSON.stringify([...pods.map(countedPod), countedNode(node)])).not.toMatch(
    /nginx|env|managedFields|podIP|CIDR|Disk/,
  );
});

test("what is no pod and no node is kept as nothing", () => {
  const odd = { ...node, spec: { containers: "x", initContainers: [7, null] }, status: { conditions: 3 } };
  expect(countedPod(odd)["spec"]).toEqual({});
  expect(countedNode(odd)["status"]).toEqual({ conditions: [] });
  const empty = { ...node, spec: null, status: null };
  expect([countedPod(empty)["spec"], countedNode(empty)["status"]]).toEqual([{}, { conditions: [] }]);
});
