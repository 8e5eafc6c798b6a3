import type { Fields } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import type { NewObject } from "#client/client.ts";
import { type ConditionWords, withCondition } from "../conditions.ts";
import { memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { hexOf } from "../stable-hash.ts";
import { type Step, statusSteps } from "../step.ts";

export interface NodeFacts {
  readonly node: SimulatedObject;
  readonly capacity: Readonly<Record<string, string>>;
  readonly address: string;
  readonly failed: boolean;
  readonly nowMs: number;
}

const notReadyTaint = "node.kubernetes.io/not-ready";

/** A node that a member starts with. */
export function newNode(name: string, zone: string): NewObject {
  const labels = {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
    "topology.kubernetes.io/region": "simulated",
    "topology.kubernetes.io/zone": zone,
  };
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec: {} };
}

/** A node says that it is ready, or that it is not, and keeps pods away while it is not. It says so once: no heartbeat. */
export function decideNode(facts: NodeFacts): Plan<Step> {
  const { node } = facts;
  const taints = taintsOf(facts);
  if (!jsonEquals(node.spec["taints"] ?? [], taints)) {
    const spec = { ...node.spec, taints };
    return { steps: [{ do: "update", resource: memberResources.nodes, object: { ...node, spec } }] };
  }
  return { steps: statusSteps(memberResources.nodes, node, nodeStatus(facts)) };
}

function taintsOf({ node, failed, nowMs }: NodeFacts): readonly Fields[] {
  const present: readonly Fields[] = node.spec["taints"] ?? [];
  if (!failed) return present.filter(({ key }) => key !== notReadyTaint);
  if (present.some(({ key }) => key === notReadyTaint)) return present;
  return [
    ...present,
    { key: notReadyTaint, effect: "NoSchedule" },
    { key: notReadyTaint, effect: "NoExecute", timeAdded: formatTime(nowMs) },
  ];
}

function nodeStatus({ node, capacity, address, failed, nowMs }: NodeFacts): Fields {
  const { name } = node.metadata;
  const before: Fields = node.status ?? {};
  const time = formatTime(nowMs);
  const conditions = (failed ? [notReady] : [...healthy, ready]).reduce(
    (list, words) => withCondition(list, words, { nowMs, more: { lastHeartbeatTime: time, lastTransitionTime: time } }),
    (before["conditions"] ?? []) as readonly Fields[], // what this function wrote
  );
  return {
    ...before,
    capacity: before["capacity"] ?? capacity,
    allocatable: before["allocatable"] ?? capacity,
    conditions,
    addresses: [
      { type: "InternalIP", address },
      { type: "Hostname", address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: hexOf(name, 32),
      systemUUID: hexOf(`system ${name}`, 32),
      bootID: hexOf(`boot ${name}`, 32),
      kernelVersion: "simulated",
      osImage: "Flotilla simulated node",
      containerRuntimeVersion: "simulated://1.0",
      kubeletVersion: "v1.36.0",
      kubeProxyVersion: "",
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

const healthy: readonly ConditionWords[] = [
  ["MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"] as const,
  ["DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"] as const,
  ["PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"] as const,
].map(([type, reason, message]) => ({ type, status: "False", reason, message }));

const ready: ConditionWords = {
  type: "Ready",
  status: "True",
  reason: "KubeletReady",
  message: "kubelet is posting ready status",
};

const notReady: ConditionWords = {
  type: "Ready",
  status: "False",
  reason: "KubeletNotReady",
  message: "the node was made to fail",
};
