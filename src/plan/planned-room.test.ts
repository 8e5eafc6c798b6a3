import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { PlannedRoom, withRoomTaken } from "./planned-room.ts";

interface Sketch {
  readonly kind?: string;
  readonly replicas?: number;
  readonly resources?: object;
  readonly status?: object;
}

function workload({ kind = "Deployment", replicas = 1, resources = {}, status = {} }: Sketch): ApiObject {
  const pod = { containers: [{ name: "main", resources }] };
  const spec = kind === "Pod" ? pod : { replicas, template: { spec: pod } };
  const metadata = { name: "web", namespace: "shop", uid: "1", resourceVersion: "1", creationTimestamp: "" };
  return { apiVersion: "apps/v1", kind, metadata, spec, status };
}

const asks = (cpu: string) => ({ requests: { cpu } });

/** The amounts that are taken after changes, from one state of a workload to the next. */
function taken(...states: readonly (Sketch | undefined)[]): Readonly<Record<string, string | number>> {
  const room = new PlannedRoom();
  for (const [index, after] of states.slice(1).entries()) {
    const before = states[index];
    if (before === after) continue;
    room.note({ before: before && workload(before), after: after && workload(after) });
  }
  const cluster = {
    metadata: { name: "m1" },
    spec: {},
    status: { resourceSummary: { allocated: { cpu: "1", pods: "10" } } },
  } as unknown as Cluster; // what is looked at
  return withRoomTaken(cluster, room.take()).status?.resourceSummary?.allocated ?? {};
}

test.each<[string, readonly (Sketch | undefined)[], object]>([
  ["what comes", [undefined, { replicas: 3, resources: asks("500m") }], { cpu: "2500m", pods: "13" }],
  ["what goes", [{ replicas: 2 }, undefined], { cpu: "1", pods: "8" }],
  ["what is scaled", [{ replicas: 2 }, { replicas: 5 }], { cpu: "1", pods: "13" }],
  ["what asks for more", [{ resources: asks("100m") }, { resources: asks("350m") }], { cpu: "1250m", pods: "10" }],
  ["what has a limit alone", [undefined, { resources: { limits: { cpu: "2" } } }], { cpu: "3", pods: "11" }],
  [
    "a resource that nobody had",
    [undefined, { resources: { requests: { gpu: "1" } } }],
    { cpu: "1", gpu: "1", pods: "11" },
  ],
  ["what came and went", [undefined, { replicas: 3 }, undefined], { cpu: "1", pods: "10" }],
  [
    "only the first and the last state count",
    [{ replicas: 1 }, { replicas: 9 }, { replicas: 2 }],
    { cpu: "1", pods: "11" },
  ],
  ["a pod that was done", [{ kind: "Pod", status: { phase: "Succeeded" } }, undefined], { cpu: "1", pods: "10" }],
  ["what has no pods", [undefined, { kind: "ConfigMap" }], { cpu: "1", pods: "10" }],
])("room that is taken: %s", (_, states, expected) => {
  expect(taken(...states)).toEqual(expected);
});

test("what was told is not told again", () => {
  const room = new PlannedRoom();
  room.note({ before: undefined, after: workload({}) });
  expect(room.take().size).toBe(1);
  expect(room.take().size).toBe(0);
});

test("a cluster that does not say what it has is left as it is", () => {
  const cluster = { metadata: { name: "m1" }, spec: {} } as unknown as Cluster; // as above
  const room = new PlannedRoom();
  room.note({ before: undefined, after: workload({}) });
  expect(withRoomTaken(cluster, room.take())).toBe(cluster);
});
