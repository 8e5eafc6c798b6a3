import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import { readCapacity } from "./cluster-capacity.ts";
import { compileRequest, estimateReplicas } from "./estimate-replicas.ts";

type Summary = NonNullable<NonNullable<Cluster["status"]>["resourceSummary"]>;
type Request = Readonly<Record<string, string>>;

const roomy: Summary = { allocatable: { cpu: "8", memory: "8Gi", pods: "100" } };

const cases: Record<string, { summary?: Summary; request?: Request; fits: number }> = {
  "a cluster that does not say what it has has nothing": { fits: 0 },
  "without requirements the pods decide": {
    summary: { ...roomy, allocated: { pods: "30" }, allocating: { pods: "10" } },
    fits: 60,
  },
  "pods that wait for a node count as taken": { summary: { ...roomy, allocating: { pods: "100" } }, fits: 0 },
  "more pods than there is room for leave none, not less": {
    summary: { ...roomy, allocated: { pods: "120" } },
    fits: 0,
  },
  "the scarcest resource decides": { summary: roomy, request: { cpu: "1", memory: "2Gi" }, fits: 4 },
  "cpu is counted in thousandths": { summary: roomy, request: { cpu: "300m" }, fits: 26 },
  "a resource that the cluster does not offer leaves no room": {
    summary: roomy,
    request: { "example.com/gpu": "1" },
    fits: 0,
  },
  "a request for nothing is no request": { summary: roomy, request: { cpu: "0", "example.com/gpu": "0" }, fits: 100 },
  "part of a cpu that is left is used": {
    summary: { ...roomy, allocated: { cpu: "7500m" } },
    request: { cpu: "100m" },
    fits: 5,
  },
  "what is taken twice leaves nothing": {
    summary: { ...roomy, allocated: { cpu: "9" } },
    request: { cpu: "1" },
    fits: 0,
  },
};

test.each(Object.entries(cases))("%s", (_, { summary, request, fits }) => {
  const capacity = readCapacity({
    spec: { syncMode: "Push" },
    status: summary === undefined ? {} : { resourceSummary: summary },
  });
  expect(estimateReplicas(capacity, compileRequest(request && { resourceRequest: request }))).toBe(fits);
});

const models: NonNullable<Cluster["spec"]["resourceModels"]> = [
  { grade: 0, ranges: [{ name: "cpu", min: "0", max: "2" }] },
  { grade: 1, ranges: [{ name: "cpu", min: "2", max: "9223372036854775807" }] },
];

const modelled: Record<string, { counts: readonly [number, number]; request: Request; pods?: string; fits: number }> = {
  "a node offers the least of its grade": { counts: [3, 2], request: { cpu: "1" }, fits: 4 },
  "what no single node can take does not fit": { counts: [9, 9], request: { cpu: "3" }, fits: 0 },
  "a node takes at most 110 pods": { counts: [0, 2], request: { cpu: "1m" }, fits: 220 },
  "the pods of the cluster are a limit too": { counts: [0, 2], request: { cpu: "1m" }, pods: "150", fits: 150 },
  "a resource that is not modelled leaves no room": { counts: [0, 2], request: { memory: "1Gi" }, fits: 0 },
  "a resource that nodes do not have is let pass": { counts: [0, 1], request: { services: "1" }, fits: 110 },
  "a negative count makes the models worthless, and the summary counts": {
    counts: [-1, 2],
    request: { cpu: "4" },
    fits: 2,
  },
};

test.each(Object.entries(modelled))("with models: %s", (_, { counts, request, pods = "500", fits }) => {
  const allocatableModelings = counts.map((count, grade) => ({ grade, count }));
  const resourceSummary = { allocatable: { cpu: "8", pods }, allocatableModelings };
  const capacity = readCapacity({ spec: { syncMode: "Push", resourceModels: models }, status: { resourceSummary } });
  expect(estimateReplicas(capacity, compileRequest({ resourceRequest: request }))).toBe(fits);
});
