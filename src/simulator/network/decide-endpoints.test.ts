import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { printPlan, runningPod, type Sketch, sketch } from "#test/world/simulated-objects.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { decideEndpoints, type EndpointFacts } from "./decide-endpoints.ts";

const service = (given: Sketch = {}) =>
  sketch("Service", {
    name: "web",
    ...given,
    spec: {
      selector: { app: "web" },
      clusterIP: "10.96.0.7",
      ports: [{ port: 80, targetPort: "http", protocol: "TCP" }],
      ...given.spec,
    },
  });
const containers = [{ name: "c", ports: [{ name: "http", containerPort: 8080 }] }];
const pod = (name: string, given: Parameters<typeof runningPod>[0] = {}) =>
  runningPod({ name, ...given, spec: { containers, ...given.spec } });

function facts(given: Partial<EndpointFacts>): EndpointFacts {
  return { service: service(), pods: [], slices: [], zoneOf: () => "zone-a", ...given };
}

function slicesIn(given: EndpointFacts): readonly Fields[] {
  const { steps } = decideEndpoints(given);
  return steps
    .flatMap((step) => (step.do === "together" ? step.steps : [step]))
    .flatMap((step) => (step.do === "create" ? [step.object] : []));
}

test("a service leads to its ready pods, by the port that they name", () => {
  const [slice] = slicesIn(facts({ pods: [pod("a")] }));
  expect(slice).toMatchObject({
    addressType: "IPv4",
    ports: [{ name: "", port: 8080, protocol: "TCP" }],
    endpoints: [
      {
        addresses: ["10.244.0.2"],
        conditions: { ready: true, serving: true, terminating: false },
        nodeName: "n1",
        zone: "zone-a",
        targetRef: { kind: "Pod", name: "a", namespace: "default", uid: "uid-a" },
      },
    ],
  });
});

const conditions: Readonly<Record<string, { pod: SimulatedObject; spec?: Fields; expect: Fields | undefined }>> = {
  "a pod that is not ready is listed and not used": {
    pod: pod("a", { ready: false }),
    expect: { ready: false, serving: false, terminating: false },
  },
  "a pod on its way out still serves who is connected": {
    pod: pod("a", { deleted: true }),
    expect: { ready: false, serving: true, terminating: true },
  },
  "a service may ask for pods that are not ready": {
    pod: pod("a", { ready: false }),
    spec: { publishNotReadyAddresses: true },
    expect: { ready: true, serving: false, terminating: false },
  },
  "a pod without an address is not listed": { pod: pod("a", { status: { podIP: "" } }), expect: undefined },
  "an ended pod is not listed": { pod: pod("a", { status: { phase: "Succeeded" } }), expect: undefined },
};
for (const [name, { pod: given, spec, expect: expected }] of Object.entries(conditions)) {
  test(name, () => {
    const [slice] = slicesIn(facts({ service: service(spec === undefined ? {} : { spec }), pods: [given] }));
    expect(slice?.["endpoints"][0]?.conditions).toEqual(expected);
  });
}

test("a slice is written only when it changes", () => {
  const given = facts({ pods: [pod("b"), pod("a")] });
  const [slice] = slicesIn(given);
  const stored = slice as SimulatedObject; // as if it had been stored
  expect(printPlan(decideEndpoints({ ...given, slices: [stored], pods: [pod("a"), pod("b")] }))).toEqual([]);
  expect(printPlan(decideEndpoints({ ...given, slices: [stored], pods: [pod("a")] }))).toEqual([
    `update EndpointSlice ${slice?.["metadata"].name}`,
  ]);
});

test("more than a hundred pods need more than one slice, and the surplus goes with them", () => {
  const many = Array.from({ length: 150 }, (_, number) => pod(`p${number}`));
  const slices = slicesIn(facts({ pods: many }));
  expect(slices.map(({ endpoints }) => endpoints.length)).toEqual([100, 50]);
  const stored = slices as readonly SimulatedObject[]; // as if they had been stored
  const shrunk = decideEndpoints(facts({ pods: many.slice(0, 1), slices: stored }));
  expect(printPlan(shrunk)).toEqual([
    `update EndpointSlice ${slices[0]?.["metadata"].name}`,
    `delete EndpointSlice ${slices[1]?.["metadata"].name}: no endpoint needs it`,
  ]);
});

test("a service without a selector keeps the slices that others made", () => {
  const foreign = sketch("EndpointSlice", { labels: { "kubernetes.io/service-name": "web" } });
  expect(
    printPlan(decideEndpoints(facts({ service: service({ spec: { selector: undefined } }), slices: [foreign] }))),
  ).toEqual([]);
});
