import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import type { SimulatedObject } from "#simulator/simulated-object.ts";
import { nowMs, printPlan, readyNode, type Sketch, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { decidePlacement, type Room } from "./decide-placement.ts";

function room(node: SimulatedObject, { pods = 0, cpu = 0n } = {}): Room {
  return { node, usage: { pods, requested: new Map([["cpu", cpu * 1_000_000_000n]]) } };
}

const asking = (cpu: string): Fields => ({ containers: [{ name: "c", resources: { requests: { cpu } } }] });
const cordoned = readyNode("n1", { spec: { unschedulable: true } });
const tainted = (key: string, value?: string) =>
  readyNode("n1", { spec: { taints: [{ key, value, effect: "NoSchedule" }] } });
const preemption = (count: number, words: string) => ` preemption: 0/${count} nodes are available: ${words}.`;
const notHelpful = "Preemption is not helpful for scheduling";

interface Row {
  readonly reason: string;
  readonly pod?: Sketch;
  readonly rooms: readonly Room[];
  readonly goes?: string;
  readonly says?: string;
}

const rows: Readonly<Record<string, Row>> = {
  "three empty nodes": {
    reason: "among equals the first name wins, so that the same facts give the same node",
    rooms: [room(readyNode("n2")), room(readyNode("n1")), room(readyNode("n3"))],
    goes: "n1",
  },
  "one node is emptier": {
    reason: "pods spread to where there are fewest",
    rooms: [room(readyNode("n1"), { pods: 2 }), room(readyNode("n2"), { pods: 1 })],
    goes: "n2",
  },
  "the emptiest has no cpu left": {
    reason: "room is judged by requests, not by the number of pods",
    pod: { spec: asking("2") },
    rooms: [room(readyNode("n1"), { pods: 1, cpu: 7n }), room(readyNode("n2"), { pods: 5 })],
    goes: "n2",
  },
  "no node has the cpu": {
    reason: "a request beyond every node is no case for preemption",
    pod: { spec: asking("20") },
    rooms: [room(readyNode("n1")), room(readyNode("n2")), room(readyNode("n3"))],
    says: `0/3 nodes are available: 3 Insufficient cpu.${preemption(3, `3 ${notHelpful}`)}`,
  },
  "all nodes are full": {
    reason: "room that others take could be freed",
    pod: { spec: asking("2") },
    rooms: [room(readyNode("n1"), { cpu: 7n })],
    says: `0/1 nodes are available: 1 Insufficient cpu.${preemption(1, "1 No preemption victims found for incoming pod")}`,
  },
  "as many pods as a node holds": {
    reason: "pods are a resource like others",
    rooms: [room(readyNode("n1"), { pods: 110 })],
    says: `0/1 nodes are available: 1 Too many pods.${preemption(1, "1 No preemption victims found for incoming pod")}`,
  },
  "different reasons": {
    reason: "reasons are counted and sorted as text",
    pod: { spec: { ...asking("20"), nodeSelector: { disk: "ssd" } } },
    rooms: [room(cordoned), room(readyNode("n2")), room(readyNode("n3", { labels: { disk: "ssd" } }))],
    says:
      "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector, " +
      `1 node(s) were unschedulable.${preemption(3, `3 ${notHelpful}`)}`,
  },
  "a taint that is not tolerated": {
    reason: "the taint is named",
    rooms: [room(tainted("gpu", "yes"))],
    says: `0/1 nodes are available: 1 node(s) had untolerated taint {gpu: yes}.${preemption(1, `1 ${notHelpful}`)}`,
  },
  "a taint that is tolerated": {
    reason: "Exists needs no value",
    pod: { spec: { containers: [], tolerations: [{ key: "gpu", operator: "Exists" }] } },
    rooms: [room(tainted("gpu", "yes"))],
    goes: "n1",
  },
  "an affinity to one node": {
    reason: "daemon pods name their node by a field",
    pod: {
      spec: {
        containers: [],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n2"] }] }],
            },
          },
        },
      },
    },
    rooms: [room(readyNode("n1")), room(readyNode("n2"), { pods: 9 })],
    goes: "n2",
  },
  "no node at all": {
    reason: "kube-scheduler has its own words for this",
    rooms: [],
    says: "no nodes available to schedule pods",
  },
};

for (const [name, { reason, pod, rooms, goes, says }] of Object.entries(rows)) {
  test(name, () => {
    const plan = decidePlacement({ pod: sketch("Pod", { name: "p", ...pod }), rooms, nowMs });
    if (goes !== undefined) expect(printPlan(plan), reason).toEqual([`bind p to ${goes}`]);
    else {
      expect(statusIn(plan)?.["conditions"], reason).toEqual([
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message: says,
          lastProbeTime: null,
          lastTransitionTime: "2030-01-01T00:00:00Z",
        },
      ]);
    }
  });
}

test("a pod that has said why it cannot be placed does not say it again", () => {
  const facts = { pod: sketch("Pod", { name: "p" }), rooms: [], nowMs };
  const status = statusIn(decidePlacement(facts))!;
  const later = { ...facts, pod: sketch("Pod", { name: "p", status }), nowMs: nowMs + 60_000 };
  expect(printPlan(decidePlacement(later))).toEqual([]);
});

const leftAlone: Readonly<Record<string, Sketch>> = {
  "it has a node already": { spec: { nodeName: "n2" } },
  "it is being deleted": { deleted: true },
  "a scheduling gate holds it": { spec: { schedulingGates: [{ name: "hold" }] } },
};
for (const [name, pod] of Object.entries(leftAlone)) {
  test(`a pod is left alone when ${name}`, () => {
    const plan = decidePlacement({ pod: sketch("Pod", pod), rooms: [room(readyNode("n1"))], nowMs });
    expect(printPlan(plan)).toEqual([]);
  });
}
